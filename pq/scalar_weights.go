package pq

import "math"

// weights are a query's weights of levels, w_t = <Q q, ...>_t step_t, as integers: w_t is about unit n_t. For the scan
// sums have two bytes for the first groups of dimensions, of which weights may be large, and one for the others; for
// scores they have three.
type weights struct {
	s      *Scalar
	exact  []float64
	whole  []int      // n_t
	parts  [3][]uint8 // bytes of n_t, with signs, or of table entries, without; the upper ones first
	two    int        // groups with two bytes
	unit   float64
	zero   float64 // what sums are of the middle levels
	most   float64 // Σ |n_t| times the largest level
	off    float64 // Σ_t (w_t - unit n_t)(level_t - mid) is at most off
	offBy  float64 // or offBy |z|
	center float64 // |z of the middle levels|, which offBy needs beside
}

// newWeights are weights whose sums have some parts, two or three.
func (s *Scalar) newWeights(parts int) weights {
	w := weights{s: s, whole: make([]int, s.dims)}
	room := 4 * s.planes()
	if s.tabled() {
		room = 4 * 2 * 16
	}
	for i := 3 - parts; i < 3; i++ {
		w.parts[i] = make([]uint8, s.groups()*room)
	}
	return w
}

// tabled says whether sums are of table entries, one for the levels in each half of a byte, and not of products.
func (s *Scalar) tabled() bool { return s.bits <= 2 }

// place is where the weight of coordinate t lies: its byte's place in the group, and its plane.
func (s *Scalar) place(t int) int {
	planes := s.planes()
	at := t / planes
	return (at/4*planes+t%planes)*4 + at%4
}

// ahead returns the number of dimensions of some groups.
func (s *Scalar) ahead(groups int) int { return min(s.dims, 4*groups*s.planes()) }

// setScan sets one and two bytes. It takes as many groups of two as make the error small beside what the levels round.
func (w *weights) setScan(exact []float64, length float64) {
	s, groups := w.s, w.s.groups()
	w.exact = exact
	enough := map[int]float64{1: 0x1p-6, 2: 0x1.8p-6, 4: 0x1p-7, 8: 0x1p-11}[s.bits]
	for _, two := range []int{0, groups / 8, groups / 4, groups / 2, groups} {
		w.two = two
		from := s.ahead(two)
		w.unit = math.Max(s.unit(exact[:from], 2), s.unit(exact[from:], 1))
		if w.unit/math.Sqrt(12)*math.Min(s.inverse, s.perLength()*math.Sqrt(float64(s.dims))) < enough*length {
			break
		}
	}
	var sum float64
	for _, v := range exact {
		sum += math.Abs(v)
	}
	w.unit = math.Max(w.unit*(1+0x1p-40), sum/(math.MaxInt32/(2*s.mid())-float64(s.dims)))
	w.fill()
}

// setScore sets three bytes.
func (w *weights) setScore(exact []float64) {
	w.exact = exact
	w.unit = w.s.unit(exact, 3) * (1 + 0x1p-40)
	w.fill()
}

// unit returns a unit by which bytes hold the integers that these weights become, or all that the levels in half a byte
// and their weights sum up to: no more than the weights alone, and half a unit each for their rounding.
func (s *Scalar) unit(exact []float64, bytes int) float64 {
	if !s.tabled() { // bytes with signs
		return magnitude(exact) / float64(127*(int(1)<<(8*bytes)-1)/255)
	}
	per, top := s.planes()/2, 2*s.mid()
	var most float64
	for from := 0; from < len(exact); from += per {
		var sum float64
		for _, v := range exact[from:min(from+per, len(exact))] {
			sum += math.Abs(v)
		}
		most = math.Max(most, sum)
	}
	return top * most / (float64(int(1)<<(8*bytes)-1) - top*float64(per)/2)
}

// perLength is the largest length of levels less their middle, as a part of the typical length.
func (s *Scalar) perLength() float64 {
	return math.Sqrt(float64(s.dims)) * s.mid() / float64(s.typical)
}

// fill rounds the weights and sums up what that loses.
func (w *weights) fill() {
	s := w.s
	w.unit = math.Max(w.unit, 0x1p-200)
	var sum, lost, lostBy float64
	w.most = 0
	for t, v := range w.exact {
		n := math.Round(v / w.unit)
		w.whole[t] = int(n)
		sum += n
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

	w.zero = s.mid() * sum
	if s.tabled() {
		w.zero -= w.setTables()
	} else {
		w.setBytes()
	}
}

// setBytes sets the bytes of the weights.
func (w *weights) setBytes() {
	for t, n := range w.whole {
		at := w.s.place(t)
		for b := 2; b >= 0 && w.parts[b] != nil; b-- {
			low := int8(n)
			w.parts[b][at], n = uint8(low), (n-int(low))>>8
		}
	}
}

// setTables sets the bytes of table entries: of what the levels in half a byte and their weights sum up to, less the
// least of that. It returns the sum of the least.
func (w *weights) setTables() float64 {
	bits, per, all := w.s.bits, w.s.planes()/2, 0
	two := w.s.ahead(w.two)
	for from := 0; from < len(w.whole); from += per {
		least := 0
		for _, n := range w.whole[from:min(from+per, len(w.whole))] {
			least += min(0, n*(1<<bits-1))
		}
		all += least
		var entry [16]int
		entry[0] = -least
		for p := range per {
			n := 0 // behind the last level, whatever bits are there
			if from+p < len(w.whole) {
				n = w.whole[from+p]
			}
			step := 1 << (p * bits)
			for c := step; c < step<<bits; c++ {
				entry[c&15] = entry[(c-step)&15] + n
			}
		}
		half := from / per
		at := half/8*128 + half%2*64 + half/2%4*16
		setPart(w.parts[2], at, &entry, 0)
		if w.parts[0] != nil {
			setPart(w.parts[1], at, &entry, 8)
			setPart(w.parts[0], at, &entry, 16)
		} else if from < two {
			setPart(w.parts[1], at, &entry, 8)
		}
	}
	return float64(all)
}

// setPart sets one byte of each entry of a table.
func setPart(part []uint8, at int, entry *[16]int, shift uint8) {
	to := (*[16]uint8)(part[at:])
	for c, e := range entry {
		to[c] = uint8(uint(e) >> (shift & 63))
	}
}

// value returns Σ unit n_t (level_t - mid), from the sum of products or of table entries.
func (w *weights) value(sum float64) float64 { return w.unit * (sum - w.zero) }

func magnitude(x []float64) (most float64) {
	for _, v := range x {
		most = math.Max(most, math.Abs(v))
	}
	return most
}
