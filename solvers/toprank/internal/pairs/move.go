package pairs

import (
	"cmp"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// maxScalar returns the largest value that the scalar may have.
func (s *Solver[T]) maxScalar() float64 {
	if s.tied && s.p.Plus.Upper > 0 {
		return float64(len(s.p.Plus.Examples)) * s.p.Plus.Upper
	}
	return math.Inf(1)
}

// setScalar fixes s = at, which sets the bounds of Minus or their Quadratic.
func (s *Solver[T]) setScalar(at float64) {
	s.scalar.at = at
	minus := &s.sides[1]
	if s.p.Curve > 0 {
		minus.quadratic = s.p.Curve / at
	}
	if s.p.Minus.Ratio > 0 {
		minus.lower = -at * s.p.Minus.Ratio
	}
	if s.tied {
		minus.lower *= 1 + 0x1p-46 // the sum of the bounds is not below s for rounding
	}
}

// moveScalar sets s = at and moves the variables into the bounds that it allows.
func (s *Solver[T]) moveScalar(at float64) {
	if s.tied {
		r := at / s.scalar.at
		vec.Scale(r, s.f)
		for _, g := range s.groups {
			vec.Scale(r, g.x)
		}
	}
	s.setScalar(at)
	over, under := s.clip(0), s.clip(1)
	if s.tied {
		s.addToSum(1, under)
		s.addToSum(0, over)
	} else {
		s.addToSum(0, s.addToSum(1, over+under))
	}
}

// clip moves the variables of a side into their bounds and returns what their sum has lost.
func (s *Solver[T]) clip(side int) (lost float64) {
	k := &s.sides[side]
	s.each(side, func(g *group, u int) {
		v := g.x[u]
		if to := min(max(v, k.lower), k.upper); to != v {
			s.add(g, u, to-v)
			g.x[u] = to
			lost += v - to
		}
	})
	return lost
}

// addToSum adds amount to the sum of a side, in the order of the slopes, as far as the bounds allow. It returns the
// rest.
func (s *Solver[T]) addToSum(side int, amount float64) float64 {
	if amount == 0 {
		return 0
	}
	type variable struct {
		g     *group
		u     int
		slope float64
	}
	var order []variable
	sign := math.Copysign(1, amount)
	s.each(side, func(g *group, u int) { order = append(order, variable{g, u, sign * s.steps.slope(g, u)}) })
	slices.SortFunc(order, func(a, b variable) int { return cmp.Compare(b.slope, a.slope) })
	for _, v := range order {
		room := s.sides[side].upper - v.g.x[v.u]
		if amount < 0 {
			room = s.sides[side].lower - v.g.x[v.u]
		}
		d := sign * min(math.Abs(room), math.Abs(amount))
		s.add(v.g, v.u, d)
		if amount -= d; amount == 0 {
			break
		}
	}
	return amount
}
