package m3l

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// label returns the label with the largest projected gradient, line 7, and that.
func (s *smo[T]) label(labels []int) (l int, largest float64) {
	for _, k := range labels {
		if _, size := s.first(k); size >= largest {
			l, largest = k, size
		}
	}
	return l, largest
}

// first returns the example p whose projected gradient at label l is the largest, (32), line 9, and its magnitude.
func (s *smo[T]) first(l int) (p int, largest float64) {
	a, end := s.a.Row(l), s.end.Row(l)
	for i, g := range s.g.Row(l) {
		if size := math.Abs(g); size > largest && !held(a[i], g, end[i]) {
			p, largest = i, size
		}
	}
	return p, largest
}

// held reports whether the projected gradient (31) is 0: where a is at an end of its interval, 0 or end, and g points
// outwards.
func held(a, g, end float64) bool {
	return a == 0 && (g > 0) != (end > 0) || a == end && (g > 0) == (end > 0) || g == 0
}

// parted is the least 1 - K_pq²/(K_pp K_qq) of a pair. Below it a pair counts as two equal examples, which line 10
// leaves out since Q is singular for them. The solution of a pair is a quotient of differences with an error of some
// roundings, u = 2^-53, over the determinant, and Q, scaled to a diagonal of 1, has a condition of at most 4/parted: so
// of the gain as much as (4/parted)³u² is lost, 2^-10 here.
const parted = 0x1p-30

// second returns the example q that promises most with p, (30), lines 10 and 12, or -1 where there is none that can
// move and is not equal to p. row is K_p.
func (s *smo[T]) second(l, p int, row []T) int {
	a, g, end := s.a.Row(l), s.g.Row(l), s.end.Row(l)
	gp, kpp := g[p], s.diagonal[p]
	best, q := 0.0, -1
	for j, kjj := range s.diagonal {
		if held(a[j], g[j], end[j]) {
			continue
		}
		kpj, product := float64(row[j]), kpp*kjj
		det := product - kpj*kpj
		if !(det > parted*product) {
			continue // p itself too
		}
		if gain := (gp*gp*kjj + g[j]*g[j]*kpp - 2*gp*g[j]*kpj) / det; gain > best {
			best, q = gain, j
		}
	}
	return q
}

// step is an iteration, lines 10 to 27: it moves a_pl, and a second variable of the label where there is one. It
// returns false where nothing can be gained in float64, and has changed nothing then.
func (s *smo[T]) step(l, p int) bool {
	g, r, kpp := s.g.Row(l), 4*s.prior(l, l), s.diagonal[p]
	row := s.k.Pin(p)
	defer s.k.Release(p)
	low, high := s.room(l, p)
	q := -1
	if r > 0 {
		q = s.second(l, p, row)
	}
	if q < 0 { // lines 21 to 26
		d := solve1DQP(r*kpp, g[p], low, high)
		gain := d * (g[p] - r*kpp*d/2)
		return gain > 0 && s.move(l, p, d, row) && s.count(gain)
	}
	other := s.k.Pin(q)
	defer s.k.Release(q)
	lowQ, highQ := s.room(l, q)
	kpq, kqq, slope := float64(row[q]), s.diagonal[q], [2]float64{g[p] / r, g[q] / r}
	d := solve2DQP(kpp, kpq, kqq, slope, [2]float64{low, lowQ}, [2]float64{high, highQ})
	gain := r * gain(kpp, kpq, kqq, slope, d)
	if !(gain > 0) {
		return false
	}
	movedP, movedQ := s.move(l, p, d[0], row), s.move(l, q, d[1], other)
	return (movedP || movedQ) && s.count(gain)
}

// count notes an iteration and returns true.
func (s *smo[T]) count(gain float64) bool {
	s.add(gain)
	if s.iterations++; s.iterations%s.options.Every == 0 {
		s.record()
	}
	return true
}

// room returns the least and the largest move of a variable.
func (s *smo[T]) room(l, i int) (low, high float64) {
	a, end := s.a.Row(l)[i], s.end.Row(l)[i]
	return min(0, end) - a, max(0, end) - a
}

// move adds d to a_il and brings the gradients of the label and u up to date, lines 14 to 19. It returns false where d
// is too small to make a difference.
func (s *smo[T]) move(l, i int, d float64, row []T) bool {
	low, high := s.room(l, i)
	a, end := &s.a.Row(l)[i], s.end.Row(l)[i]
	before := *a
	switch {
	case d <= low: // exactly at the ends, where sums might miss them
		*a = min(0, end)
	case d >= high:
		*a = max(0, end)
	default:
		*a = clip(before+d, min(0, end), max(0, end))
	}
	if d = *a - before; d == 0 {
		return false
	}
	axpy(d, row, s.u)
	axpy(-4*s.prior(l, l)*d, row, s.g.Row(l))
	return true
}

// axpy adds alpha x to y in float64.
func axpy[T vec.Float](alpha float64, x []T, y []float64) {
	switch x := any(x).(type) {
	case []float32:
		vec.MixedAxpy(alpha, x, y)
	case []float64:
		vec.Axpy64(alpha, x, y)
	}
}
