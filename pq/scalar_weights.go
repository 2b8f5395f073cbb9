package pq

import "math"

// weights are a query's weights of levels, w_t = <Q q, ...>_t step_t, as integers: w_t is about unit n_t. For the scan
// n_t has two bytes for the first groups of dimensions, of which weights may be large, and one for the others; for
// scores it has three.
type weights struct {
	s      *Scalar
	exact  []float64
	bytes  [3][]int8 // the upper ones first
	two    int       // groups with two bytes
	unit   float64
	sum    float64 // Σ n_t
	most   float64 // Σ |n_t| times the largest level
	off    float64 // Σ_t (w_t - unit n_t)(level_t - mid) is at most off
	offBy  float64 // or offBy |z|
	center float64 // |z of the middle levels|, which offBy needs beside
}

func (s *Scalar) newWeights(parts int) weights {
	w := weights{s: s}
	for i := range parts {
		w.bytes[i] = make([]int8, 4*s.groups()*s.planes())
	}
	return w
}

// place is where the weight of coordinate t lies: its byte's place in the group, and its plane.
func (s *Scalar) place(t int) int {
	planes := s.planes()
	at := t / planes
	return (at/4*planes+t%planes)*4 + at%4
}

// ahead returns the number of dimensions of some groups.
func (s *Scalar) ahead(groups int) int { return min(s.dims, 4*groups*s.planes()) }

// Of integers of two and of three bytes with signs, made of bytes with signs, the largest.
const (
	largest1 = 127
	largest2 = 127*256 + 127
	largest3 = 127*65536 + 127*256 + 127
)

// setScan sets one and two bytes. It takes as many groups of two as make the error small beside what the levels round.
func (w *weights) setScan(exact []float64, length float64) {
	s, groups := w.s, w.s.groups()
	w.exact = exact
	enough := 0x1p-7
	if s.bits == 8 {
		enough = 0x1p-11
	}
	for _, two := range []int{0, groups / 8, groups / 4, groups / 2, groups} {
		w.two = two
		from := s.ahead(two)
		w.unit = math.Max(magnitude(exact[:from])/largest2, magnitude(exact[from:])/largest1)
		if w.unit/math.Sqrt(12)*math.Min(s.inverse, s.perLength()*math.Sqrt(float64(s.dims))) < enough*length {
			break
		}
	}
	var sum float64
	for _, v := range exact {
		sum += math.Abs(v)
	}
	w.unit = math.Max(w.unit*(1+0x1p-40), sum/(math.MaxInt32/(2*s.mid())-float64(s.dims)))
	if w.unit < 0x1p-200 {
		w.unit = 0x1p-200
	}
	w.fill(func(t, n int) {
		at := s.place(t)
		if t < s.ahead(w.two) {
			high := (n + 128) >> 8
			w.bytes[0][at], n = int8(high), n-256*high
		}
		w.bytes[1][at] = int8(n)
	})
}

// setScore sets three bytes.
func (w *weights) setScore(exact []float64) {
	w.exact = exact
	w.unit = math.Max(magnitude(exact)/largest3*(1+0x1p-40), 0x1p-200)
	w.fill(func(t, n int) {
		at := w.s.place(t)
		for b := 2; b >= 0; b-- {
			low := int(int8(n))
			w.bytes[b][at], n = int8(low), (n-low)>>8
		}
	})
}

// perLength is the largest length of levels less their middle, as a part of the typical length.
func (s *Scalar) perLength() float64 {
	return math.Sqrt(float64(s.dims)) * s.mid() / float64(s.typical)
}

// fill rounds the weights and sums up what that loses.
func (w *weights) fill(put func(t, n int)) {
	s := w.s
	w.sum, w.most = 0, 0
	var lost, lostBy float64
	for t, v := range w.exact {
		n := math.Round(v / w.unit)
		put(t, int(n))
		w.sum += n
		w.most += math.Abs(n)
		if d := v - w.unit*n; d != 0 {
			lost += d * d
			d /= float64(s.step[t])
			lostBy += d * d
		}
	}
	w.most *= 2 * s.mid()
	lost, lostBy = math.Sqrt(lost)*(1+0x1p-30), math.Sqrt(lostBy)*(1+0x1p-30)
	w.off, w.offBy = lost*math.Sqrt(float64(s.dims))*s.mid(), 0
	if lostBy < w.off/float64(s.typical) {
		w.off, w.offBy = lostBy*w.center*(1+0x1p-30), lostBy
	}
	// What float64 rounds of exact weights, of their sum and of its product.
	w.off += float64(s.dims+64) * 0x1p-51 * (w.unit*w.most + float64(s.dims)*w.unit)
}

// value returns Σ unit n_t (level_t - mid), from the sum of n_t level_t.
func (w *weights) value(sum float64) float64 { return w.unit * (sum - w.s.mid()*w.sum) }

func magnitude(x []float64) (most float64) {
	for _, v := range x {
		most = math.Max(most, math.Abs(v))
	}
	return most
}
