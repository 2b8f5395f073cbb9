package toprank

import (
	"math"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// smo maximises the dual over the active examples while the scalar that ties the betas is held: then it is that of a support
// vector machine. In signed variables x, alpha or -beta, with c_i the sum of those of example i and f = K c the scores, it is
//
//	max  sum_u (line x_u - bend x_u²/2) - 1/2 c'Kc,   lowest <= x_u <= highest,   with sum x kept,
//
// or the sums of alphas and of betas each, where line, bend and the bounds are those of the kind. A step takes the variable
// u that has the most to gain and may grow, and the v that the dual gains most with when x_u grows by what x_v falls.
type smo[T vec.Float] struct {
	k        *kernel.Matrix[T]
	diagonal []T
	f        []float64
	kinds    [2]kind // alphas, betas
	groups   []group
	apart    bool    // each kind keeps its sum
	least    float64 // the smallest curvature that is not taken for rounding
	steps    int
}

// kind is what all alphas, or all betas, have.
type kind struct{ line, bend, lowest, highest float64 }

// group is variables of one kind, those of the examples from, from+1, ...
type group struct {
	kind, from int
	x          []float64
}

// to is the example behind the last one.
func (g *group) to() int { return g.from + len(g.x) }

// extremes are the largest slope of the variables that may grow, which one has it, and the smallest of those that may fall.
type extremes struct {
	up, down float64
	group, u int
}

// multiplier is that of the sum: what the variables between their bounds have for a slope.
func (e extremes) multiplier() float64 {
	switch {
	case math.IsInf(e.up, 0):
		return e.down
	case math.IsInf(e.down, 0):
		return e.up
	}
	return (e.up + e.down) / 2
}

// slope of the dual by variable u of the group.
func (s *smo[T]) slope(g *group, u int) float64 {
	k := &s.kinds[g.kind]
	return k.line - k.bend*g.x[u] - s.f[g.from+u]
}

// extremes returns those of each kind.
func (s *smo[T]) extremes() (e [2]extremes) {
	for k := range e {
		e[k] = extremes{up: math.Inf(-1), down: math.Inf(1)}
	}
	for i := range s.groups {
		g := &s.groups[i]
		k, e := &s.kinds[g.kind], &e[g.kind]
		least, at, most := slopes(s.f[g.from:g.to()], g.x, k.bend, k.lowest, k.highest)
		if up := k.line - least; up > e.up {
			e.up, e.group, e.u = up, i, at
		}
		e.down = min(e.down, k.line-most)
	}
	return e
}

// violation returns how far the extremes are apart, at most, among variables with a common sum; and those.
func (s *smo[T]) violation() (float64, extremes) {
	e := s.extremes()
	if s.apart {
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

// solve takes at most so many steps, until the violation is below eps. It reports whether it is.
func (s *smo[T]) solve(eps float64, most int) bool {
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
func (s *smo[T]) step(e extremes) bool {
	a := &s.groups[e.group]
	ka, i := &s.kinds[a.kind], a.from+e.u
	row := s.k.Pin(i)
	defer s.k.Release(i)
	best, gain, d, other := -1, 0.0, 0.0, 0
	for j := range s.groups {
		b := &s.groups[j]
		if s.apart && b.kind != a.kind {
			continue
		}
		kb := &s.kinds[b.kind]
		p := scanned{
			A: float64(s.diagonal[i]) + ka.bend + kb.bend, B: e.up - kb.line, P: kb.bend, Least: s.least,
			U0: ka.highest - a.x[e.u], U2: -kb.lowest,
		}
		if at, more, by := scan(row[b.from:b.to()], s.diagonal[b.from:b.to()], s.f[b.from:b.to()], b.x, &p); more > gain {
			best, gain, d, other = at, more, by, j
		}
	}
	if best < 0 {
		return false
	}
	b := &s.groups[other]
	kb := &s.kinds[b.kind]
	x, y := a.x[e.u]+d, b.x[best]-d
	if d == ka.highest-a.x[e.u] {
		x = ka.highest
	}
	if d == b.x[best]-kb.lowest {
		y = kb.lowest
	}
	a.x[e.u], b.x[best] = x, y
	if j := b.from + best; i != j {
		move(s.f, row, s.k.Pin(j), d)
		s.k.Release(j)
	}
	s.steps++
	return true
}

// add moves one variable, and the scores with it.
func (s *smo[T]) add(g *group, u int, d float64) {
	if d == 0 {
		return
	}
	g.x[u] += d
	row := s.k.Pin(g.from + u)
	axpy(d, row, s.f)
	s.k.Release(g.from + u)
}

// coefficients sets c to those of the examples.
func (s *smo[T]) coefficients(c []float64) {
	clear(c)
	for _, g := range s.groups {
		for u, v := range g.x {
			c[g.from+u] += v
		}
	}
}

// rescore computes the scores anew.
func (s *smo[T]) rescore(workers int) {
	c := vec.NewMatrix[float64](len(s.f), 1)
	s.coefficients(c.Data)
	s.k.Multiply64(vec.MatrixOf(len(s.f), 1, s.f), c, workers)
}

// norm returns |w|².
func (s *smo[T]) norm() (sum float64) {
	for _, g := range s.groups {
		sum += vec.Dot(g.x, s.f[g.from:g.to()])
	}
	return sum
}
