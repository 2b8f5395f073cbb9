package pairs

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/vec"
)

// inside is the method of package interior at work on the problem.
type inside struct {
	k      *interior.Dense
	solver *interior.Solver
	over   bool // rounding allows no more steps: pair steps go on
}

// mostInside is how many examples package interior takes: K is held in float64 twice.
const mostInside = 4000

// slow reports whether pair steps have taken longer than package interior would: about 15 decompositions of n³/3
// operations each, at about 30 times the rate of pair steps, which take 4 n operations each. Fewer steps than least
// take no time.
func (s *Solver[T]) slow() bool {
	const least = 10000
	n, taken := len(s.f), s.count-s.began
	return n <= mostInside && (s.eager || taken > max(least, 20*n) && float64(taken) > float64(n)*float64(n)/24)
}

// Inside reports whether package interior has taken over.
func (s *Solver[T]) Inside() bool { return s.inside != nil }

// insideStep takes a step of package interior. It returns false where there is none to take.
func (s *Solver[T]) insideStep() bool {
	if s.inside == nil {
		s.inside = s.enter()
	}
	in := s.inside
	if in.over {
		return false
	}
	if in.solver.Step() != nil || !s.adopt() {
		in.over = true
		s.eps /= 4
		return false
	}
	s.measure()
	return true
}

// enter returns the method at its start.
func (s *Solver[T]) enter() *inside {
	n := len(s.f)
	wide, err := s.k.Float64()
	if err != nil {
		return &inside{over: true}
	}
	all, k := make([]int, n), vec.NewMatrix[float64](n, n)
	for i := range all {
		all[i] = i
	}
	wide.Block(k, all, all, s.workers)
	in := &inside{}
	if in.k, err = interior.NewDense(k, s.workers); err == nil {
		p := s.p
		p.K = in.k
		in.solver, err = interior.New(p)
	}
	in.over = err != nil
	return in
}

// adopt sets the variables to package interior's, moved into the domain: equal sums, by less of the larger one, and no
// more than the bounds that the sum or the scalar allows. It reports whether they are numbers that can be.
func (s *Solver[T]) adopt() bool {
	plus, minus := s.inside.solver.V()
	plus, minus = cut(plus), cut(minus)
	if s.apart && s.p.Minus.Ratio > 0 {
		most := s.p.Minus.Ratio * min(vec.Sum(plus), vec.Sum(minus))
		for u, v := range minus {
			minus[u] = min(v, most)
		}
	}
	a, b, at := vec.Sum(plus), vec.Sum(minus), s.inside.solver.S()
	if s.apart {
		at = min(a, b)
	}
	if !(a > 0 && b > 0 && a+b < math.Inf(1)) || s.tied() && !(at > 0 && at < math.Inf(1)) {
		return false
	}
	vec.Scale(min(1, b/a), plus)
	vec.Scale(min(1, a/b), minus)
	s.each(0, func(g *group, u int) { g.x[u], plus = plus[0], plus[1:] })
	s.each(1, func(g *group, u int) { g.x[u], minus = -minus[0], minus[1:] })
	if s.tied() {
		s.hold(at)
	}
	c := make([]float64, len(s.f))
	s.coefficients(c)
	s.inside.k.Multiply(s.f, c)
	return true
}

// cut returns v with 0 for what is on its way there: no variable is, inside.
func cut(v []float64) []float64 {
	const part = 1e-5 // of the mean
	least := part * vec.Sum(v) / float64(len(v))
	v = slices.Clone(v)
	for u := range v {
		if v[u] < least {
			v[u] = 0
		}
	}
	return v
}
