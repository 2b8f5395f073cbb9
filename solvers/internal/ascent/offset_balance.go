package ascent

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Offset is what other methods for the problems of this package make of an offset.
type Offset[T vec.Float] struct {
	p Problem[T]
	o offset
}

// NewOffset returns the Offset of p, whose Offset is true.
func NewOffset[T vec.Float](p Problem[T]) *Offset[T] { return &Offset[T]{p, newOffset(&p)} }

// Best returns the b, a number of T, with the least losses at the scores f + b, plus N b, but for its rounding.
func (o *Offset[T]) Best(f []float64) float64 { return float64(T(o.p.bestOffset(&o.o, f))) }

// Balance moves a, whose numbers are in their intervals, until they add up to N: see offset.go.
func (o *Offset[T]) Balance(a []float64) { o.o.Balance(a, o.p.Sum) }

// Box is the intervals of dual variables.
type Box struct {
	R         []float64 // the r_i
	Low, High []float64
	some      []int32 // the ones that Balance moves
}

// Balance moves a, whose numbers are in their intervals, until they add up to sum: by the same part of the room that
// each has. These are the ones that are not 0 and not at a bound, which keep their signs: at an optimum of the inner
// problem nothing is lost to first order. Where their room is too small all move.
func (o *Box) Balance(a []float64, sum float64) {
	const most = 4 // the first leaves rounding
	for range most {
		need, largest := sum, 0.0
		for _, v := range a {
			need -= v
			largest = max(largest, math.Abs(v))
		}
		if need == 0 || need != need {
			return
		}
		all, room := false, o.rooms(a, need, largest, false)
		if room < math.Abs(need) {
			all, room = true, o.rooms(a, need, largest, true)
		}
		if room == 0 {
			return
		}
		t := math.Copysign(min(1, math.Abs(need)/room), need)
		for _, i := range o.some {
			a[i] += t * o.room(int(i), a[i], need, largest, all)
		}
	}
}

// rooms returns the sum of the room that there is, and notes who has some.
func (o *Box) rooms(a []float64, need, largest float64, all bool) (sum float64) {
	o.some = o.some[:0]
	for i, v := range a {
		if !all && (v == 0 || v == o.High[i]) { // most of them
			continue
		}
		if room := o.room(i, v, need, largest, all); room > 0 {
			sum += room
			o.some = append(o.some, int32(i))
		}
	}
	return sum
}

// room is how far v, of example i, may move in the direction of need. Where there is no bound it is largest beyond the
// largest.
func (o *Box) room(i int, v, need, largest float64, all bool) float64 {
	const bound = 0x1p-20 // part of r_i that is taken for rounding
	r := o.R[i]
	low, high := o.Low[i], o.High[i]
	if r == 0 {
		return 0
	}
	if !all {
		if v == 0 || high-v < bound*r || v-low < bound*r {
			return 0
		}
		if v > 0 {
			low = max(low, 0)
		} else {
			high = min(high, 0)
		}
	} else {
		largest += math.Abs(need)
	}
	if need > 0 {
		return max(0, min(high, 2*largest)-v)
	}
	return max(0, v-max(low, -2*largest))
}
