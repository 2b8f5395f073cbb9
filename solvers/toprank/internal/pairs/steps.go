package pairs

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// steps maximises over signed variables x, v of Plus or -v of Minus, with c_i the sum of the variables of example i and
// f = K c,
//
//	sum_u (linear x_u - quadratic x_u²/2) - 1/2 c'Kc,   lower <= x_u <= upper,   with sum x kept,
//
// or the sums of both sides each, with the side's own linear, quadratic and bounds. A step takes the variable u with
// the largest slope of those that may grow, and the v with which the objective gains most when x_u grows by what x_v
// falls.
type steps[T vec.Float] struct {
	k        *kernel.Matrix[T]
	diagonal []T
	f        []float64
	sides    [2]side // of Plus and Minus
	groups   []group
	tied     bool    // each side keeps its sum
	least    float64 // the smallest curvature that is not taken for rounding
	count    int
}

// side is what all variables of a side have.
type side struct{ linear, quadratic, lower, upper float64 }

// group is variables of one side, of the examples from, from+1, ...
type group struct {
	side, from int
	x          []float64
}

// to is the example behind the last one.
func (g *group) to() int { return g.from + len(g.x) }

// extremes are the largest slope of the variables that may grow, which one has it, and the smallest of those that may
// fall.
type extremes struct {
	up, down float64
	group, u int
}

// multiplier returns the sum's multiplier: the slope of the variables strictly between their bounds.
func (e extremes) multiplier() float64 {
	switch {
	case math.IsInf(e.up, 0):
		return e.down
	case math.IsInf(e.down, 0):
		return e.up
	}
	return (e.up + e.down) / 2
}

// slope of the objective by variable u of the group.
func (s *steps[T]) slope(g *group, u int) float64 {
	k := &s.sides[g.side]
	return k.linear - k.quadratic*g.x[u] - s.f[g.from+u]
}

// extremes returns the extremes of each side.
func (s *steps[T]) extremes() (e [2]extremes) {
	for k := range e {
		e[k] = extremes{up: math.Inf(-1), down: math.Inf(1)}
	}
	for i := range s.groups {
		g := &s.groups[i]
		k, e := &s.sides[g.side], &e[g.side]
		least, at, most := unchecked.PairExtremes(s.f[g.from:g.to()], g.x, k.quadratic, k.lower, k.upper)
		if up := k.linear - least; up > e.up {
			e.up, e.group, e.u = up, i, at
		}
		e.down = min(e.down, k.linear-most)
	}
	return e
}

// violation returns how far the extremes are tied, at most, among variables with a common sum; and those.
func (s *steps[T]) violation() (float64, extremes) {
	e := s.extremes()
	if s.tied {
		if e[1].up-e[1].down > e[0].up-e[0].down {
			e[0] = e[1]
		}
	} else {
		down := min(e[0].down, e[1].down)
		if e[1].up > e[0].up {
			e[0] = e[1]
		}
		e[0].down = down
	}
	return e[0].up - e[0].down, e[0]
}

// solve takes up to most steps, until the violation is below eps. It reports whether it is.
func (s *steps[T]) solve(eps float64, most int) bool {
	for range most {
		v, e := s.violation()
		if !(v >= eps) || !s.step(e) {
			return true
		}
	}
	v, _ := s.violation()
	return !(v >= eps)
}

// step grows the variable that has the most to gain. It reports whether there is something to gain.
func (s *steps[T]) step(e extremes) bool {
	a := &s.groups[e.group]
	ka, i := &s.sides[a.side], a.from+e.u
	row := s.k.Pin(i)
	defer s.k.Release(i)
	best, gain, d, other := -1, 0.0, 0.0, 0
	for j := range s.groups {
		b := &s.groups[j]
		if s.tied && b.side != a.side {
			continue
		}
		kb := &s.sides[b.side]
		p := unchecked.PairScan{
			A: float64(s.diagonal[i]) + ka.quadratic + kb.quadratic, B: e.up - kb.linear, P: kb.quadratic,
			Least: s.least, L2: math.Inf(-1),
			U0: ka.upper - a.x[e.u], U1: 1, U2: -kb.lower,
		}
		if at, more, by := unchecked.ScanPairs(row[b.from:b.to()], s.diagonal[b.from:b.to()], s.f[b.from:b.to()], b.x,
			&p); more > gain {
			best, gain, d, other = at, more, by, j
		}
	}
	if best < 0 || other == e.group && best == e.u { // itself: what it gains is rounding
		return false
	}
	b := &s.groups[other]
	kb := &s.sides[b.side]
	x, y := a.x[e.u]+d, b.x[best]-d
	if d == ka.upper-a.x[e.u] {
		x = ka.upper
	}
	if d == b.x[best]-kb.lower {
		y = kb.lower
	}
	a.x[e.u], b.x[best] = x, y
	if j := b.from + best; i != j {
		unchecked.MovePair(s.f, row, s.k.Pin(j), d)
		s.k.Release(j)
	}
	s.count++
	return true
}

// add moves one variable, and the scores with it.
func (s *steps[T]) add(g *group, u int, d float64) {
	if d == 0 {
		return
	}
	g.x[u] += d
	row := s.k.Pin(g.from + u)
	switch row := any(row).(type) {
	case []float32:
		vec.MixedAxpy(d, row, s.f)
	case []float64:
		vec.Axpy64(d, row, s.f)
	}
	s.k.Release(g.from + u)
}

// coefficients sets c to the coefficients of the examples.
func (s *steps[T]) coefficients(c []float64) {
	clear(c)
	for _, g := range s.groups {
		for u, v := range g.x {
			c[g.from+u] += v
		}
	}
}

// Norm returns |w|².
func (s *steps[T]) Norm() (sum float64) {
	for _, g := range s.groups {
		sum += vec.Dot(g.x, s.f[g.from:g.to()])
	}
	return sum
}
