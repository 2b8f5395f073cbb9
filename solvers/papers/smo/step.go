package smo

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// label returns the label with the largest projected gradient, line 7, and that.
func (s *solver[T]) label(labels []int) (l int, largest float64) {
	for _, k := range labels {
		if s.size[k] < 0 {
			_, s.size[k] = s.first(k)
		}
		if s.size[k] >= largest {
			l, largest = k, s.size[k]
		}
	}
	return l, largest
}

// first returns the example p whose projected gradient at label l, (31), is the largest, (32), line 9, and its
// magnitude; -1 and 0 where all are 0. It leaves the projected gradient in projected.
func (s *solver[T]) first(l int) (p int, largest float64) {
	return unchecked.ProjectGradient(s.projected, s.g.Row(l), s.a.Row(l), s.end.Row(l))
}

// parted is the least 1 - K_pq²/(K_pp K_qq) of a pair. Below it a pair counts as two equal examples, which line 10
// leaves out since Q is singular for them. The solution of a pair is a quotient of differences with an error of some
// roundings, u = 2^-53, over the determinant, and Q, scaled to a diagonal of 1, has a condition of at most 4/parted: so
// of the gain as much as (4/parted)³u² is lost, 2^-10 here.
const parted = 0x1p-30

// second returns the example q that promises most with p, (30), lines 10 and 12, or -1 where there is none that can
// move and is not equal to p. row is K_p, and first has just been at label l.
func (s *solver[T]) second(l, p int, row []T) int {
	kept := s.projected[p]
	s.projected[p] = 0 // p is no partner of its own
	q, _ := unchecked.BestPartner(row, s.diagonal, s.projected, float64(s.diagonal[p]), s.g.Row(l)[p], parted)
	s.projected[p] = kept
	return q
}

// step is an iteration, lines 10 to 27: it moves a_pl, and a second variable of the label where there is one. It
// returns false where nothing can be gained in float64, and has changed nothing then.
func (s *solver[T]) step(l, p int) bool {
	row := s.k.Pin(p)
	defer s.k.Release(p)
	if q := s.second(l, p, row); q >= 0 && s.movePair(l, p, q, row) {
		return true
	}
	g, curvature := s.g.Row(l)[p], 4*s.prior(l, l)*float64(s.diagonal[p])
	low, high := s.room(l, p)
	d := s.rounded(l, p, solve1DQP(curvature, g, low, high)) // lines 21 to 26
	gain := d * (g - curvature*d/2)
	if !(gain > 0) {
		return false
	}
	s.move(l, p, d, row)
	s.count(gain)
	return true
}

// movePair is lines 13 to 19. It does nothing and returns false where rounding leaves no gain: at the end, or where Q
// is so small, with R_ll, that its quotients are not finite.
func (s *solver[T]) movePair(l, p, q int, row []T) bool {
	other := s.k.Pin(q)
	defer s.k.Release(q)
	r, g := 4*s.prior(l, l), [2]float64{s.g.Row(l)[p], s.g.Row(l)[q]}
	kpp, kpq, kqq := float64(s.diagonal[p]), float64(row[q]), float64(s.diagonal[q])
	lowP, highP := s.room(l, p)
	lowQ, highQ := s.room(l, q)
	d := solve2DQP(kpp, kpq, kqq, [2]float64{g[0] / r, g[1] / r}, [2]float64{lowP, lowQ}, [2]float64{highP, highQ})
	d = [2]float64{s.rounded(l, p, d[0]), s.rounded(l, q, d[1])}
	won := gain(r*kpp, r*kpq, r*kqq, g, d)
	if !(won > 0) {
		return false
	}
	s.move(l, p, d[0], row)
	s.move(l, q, d[1], other)
	s.count(won)
	return true
}

// count notes an iteration.
func (s *solver[T]) count(gain float64) {
	s.dual += gain
	if s.iterations++; s.iterations%s.options.Every == 0 {
		s.record()
	}
}

// room returns the least and the largest move of a variable.
func (s *solver[T]) room(l, i int) (low, high float64) {
	a, end := s.a.Row(l)[i], s.end.Row(l)[i]
	return min(0, end) - a, max(0, end) - a
}

// rounded returns what a_il moves by where d is added to it. That every such move gains something is why the method
// comes to an end in float64.
func (s *solver[T]) rounded(l, i int, d float64) float64 {
	a, end := s.a.Row(l)[i], s.end.Row(l)[i]
	return clip(a+d, min(0, end), max(0, end)) - a
}

// move adds a rounded d to a_il and brings the gradients of the label and u up to date, lines 14 to 19.
func (s *solver[T]) move(l, i int, d float64, row []T) {
	a, end := &s.a.Row(l)[i], s.end.Row(l)[i]
	*a = clip(*a+d, min(0, end), max(0, end))
	axpy(d, row, s.u)
	axpy(-4*s.prior(l, l)*d, row, s.g.Row(l))
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
