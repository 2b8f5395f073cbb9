package pairs

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/vec"
)

// interiorPoint is the method of package interior on the problem.
type interiorPoint struct {
	k         *interior.Dense
	solver    *interior.Solver
	exhausted bool // rounding allows no more steps: pair steps continue
}

// mostInterior is how many examples package interior takes: K is held in float64 twice.
const mostInterior = 4000

// slow reports whether pair steps have taken longer than package interior would. That needs about 15 decompositions of
// n³/3 operations each, at 30 times the rate of pair steps, which take 4 n operations each. Below least steps there is
// nothing to save.
func (s *Solver[T]) slow() bool {
	const least = 10000
	n, taken := len(s.f), s.count-s.began
	return n <= mostInterior && (s.tryInterior || taken > max(least, 20*n) && float64(taken) > float64(n)*float64(n)/24)
}

// Interior reports whether steps are package interior's.
func (s *Solver[T]) Interior() bool { return s.interior != nil }

// interiorStep takes a step of package interior. It returns false where there is none to take.
func (s *Solver[T]) interiorStep() bool {
	if s.interior == nil {
		s.interior = s.newInteriorPoint()
	}
	in := s.interior
	if in.exhausted {
		return false
	}
	if in.solver.Step() != nil || !s.adopt() {
		in.exhausted = true
		s.eps /= 4
		return false
	}
	s.measure()
	return true
}

// newInteriorPoint returns the method at its start.
func (s *Solver[T]) newInteriorPoint() *interiorPoint {
	n := len(s.f)
	wide, err := s.k.Float64()
	if err != nil {
		return &interiorPoint{exhausted: true}
	}
	all, k := make([]int, n), vec.NewMatrix[float64](n, n)
	for i := range all {
		all[i] = i
	}
	wide.Block(k, all, all, s.workers)
	in := &interiorPoint{}
	if in.k, err = interior.NewDense(k, s.workers); err == nil {
		p := s.p
		p.K = in.k
		in.solver, err = interior.New(p)
	}
	in.exhausted = err != nil
	return in
}

// adopt sets the variables to package interior's, moved into the domain: equal sums, by less of the larger one, and no
// more than the bounds that the sum or the scalar allows. It reports whether they are numbers that can be.
func (s *Solver[T]) adopt() bool {
	plus, minus := s.interior.solver.V()
	plus, minus = cut(plus), cut(minus)
	if s.tied && s.p.Minus.Ratio > 0 {
		most := s.p.Minus.Ratio * min(vec.Sum(plus), vec.Sum(minus))
		for u, v := range minus {
			minus[u] = min(v, most)
		}
	}
	a, b, at := vec.Sum(plus), vec.Sum(minus), s.interior.solver.S()
	if s.tied {
		at = min(a, b)
	}
	if !(a > 0 && b > 0 && a+b < math.Inf(1)) || s.hasScalar() && !(at > 0 && at < math.Inf(1)) {
		return false
	}
	vec.Scale(min(1, b/a), plus)
	vec.Scale(min(1, a/b), minus)
	s.each(0, func(g *group, u int) { g.x[u], plus = plus[0], plus[1:] })
	s.each(1, func(g *group, u int) { g.x[u], minus = -minus[0], minus[1:] })
	if s.hasScalar() {
		s.setScalar(at)
	}
	c := make([]float64, len(s.f))
	s.coefficients(c)
	s.interior.k.Multiply(s.f, c)
	return true
}

// cut returns v with 0 for its tiny numbers: interior iterates never reach 0.
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
