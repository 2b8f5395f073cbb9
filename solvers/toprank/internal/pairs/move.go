package pairs

import (
	"cmp"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// most is the largest value of the scalar.
func (s *Solver[T]) most() float64 {
	if s.apart && s.p.Plus.Upper > 0 {
		return float64(len(s.p.Plus.At)) * s.p.Plus.Upper
	}
	return math.Inf(1)
}

// hold fixes the scalar at its value for the steps: it sets the bounds of Minus, or what bends them.
func (s *Solver[T]) hold(at float64) {
	s.scalar.at = at
	minus := &s.sides[1]
	if s.p.Curve > 0 {
		minus.bend = s.p.Curve / at
	}
	if s.p.Minus.Ratio > 0 {
		minus.lowest = -at * s.p.Minus.Ratio
	}
	if s.apart {
		minus.lowest *= 1 + 0x1p-46 // the sum of the bounds is not below s for rounding
	}
}

// shift goes to the scalar at, and keeps of the variables what it allows.
func (s *Solver[T]) shift(at float64) {
	if s.apart {
		r := at / s.scalar.at
		vec.Scale(r, s.f)
		for _, g := range s.groups {
			vec.Scale(r, g.x)
		}
	}
	s.hold(at)
	over, under := s.clip(0), s.clip(1)
	if s.apart {
		s.hand(1, under)
		s.hand(0, over)
	} else {
		s.hand(0, s.hand(1, over+under))
	}
}

// clip moves the variables of a side into their bounds and returns what their sum has lost.
func (s *Solver[T]) clip(side int) (lost float64) {
	k := &s.sides[side]
	s.each(side, func(g *group, u int) {
		v := g.x[u]
		if to := min(max(v, k.lowest), k.highest); to != v {
			s.add(g, u, to-v)
			g.x[u] = to
			lost += v - to
		}
	})
	return lost
}

// hand adds amount to the sum of a side, to the variables that gain most or lose least by it, as far as their bounds
// allow. It returns what was left over.
func (s *Solver[T]) hand(side int, amount float64) float64 {
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
		room := s.sides[side].highest - v.g.x[v.u]
		if amount < 0 {
			room = s.sides[side].lowest - v.g.x[v.u]
		}
		d := sign * min(math.Abs(room), math.Abs(amount))
		s.add(v.g, v.u, d)
		if amount -= d; amount == 0 {
			break
		}
	}
	return amount
}
