package pairs

import (
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Solver is a problem on its way.
type Solver[T vec.Float] struct {
	steps[T]
	p           interior.Problem
	judge       Judge
	scalar      scalar
	eps         float64        // the violation that ends the pair steps at this value of the scalar
	began       int            // count at the start
	interior    *interiorPoint // nil: pair steps
	tryInterior bool           // pair steps were too slow on the last active set
	workers     int

	// Certificate is the certificate of the variables as they are, by scores that are up to date but for rounding.
	Certificate solvers.Certificate
}

// Judge returns the certificate of the variables v of both sides, Minus's with a minus, and the scores of their
// examples, with |w|² = c'Kc = norm; and the best scalar for the scores, 0 for none.
type Judge func(plus, scores, minus, below []float64, norm float64) (c solvers.Certificate, scalar float64)

// New returns the Solver of p on the matrix k, p.K being left nil, at v = 0. Where there is a scalar Minus has no
// Quadratic and no Upper. The sides of p are fast where they are few runs of neighbours. eps is about the size of
// scores at which a violation matters.
func New[T vec.Float](k *kernel.Matrix[T], p interior.Problem, judge Judge, eps float64, workers int) *Solver[T] {
	n := k.Len()
	s := &Solver[T]{p: p, judge: judge, eps: eps, workers: workers}
	s.k, s.diagonal, s.f, s.tied = k, make([]T, n), make([]float64, n), p.Tied
	k.Diagonal(s.diagonal)
	low, _, epsilon := family.Limits[T]()
	s.least = low
	for _, v := range s.diagonal {
		s.least = max(s.least, 8*epsilon*float64(v))
	}
	for i, from := range []interior.Side{p.Plus, p.Minus} {
		sign, most := float64(1-2*i), from.Upper
		if from.Upper == 0 && from.Ratio == 0 {
			most = math.Inf(1)
		}
		s.sides[i] = side{linear: sign * from.Linear, quadratic: from.Quadratic, lower: min(0, sign*most),
			upper: max(0, sign*most)}
		for u := 0; u < len(from.Examples); {
			end := u + 1
			for end < len(from.Examples) && from.Examples[end] == from.Examples[end-1]+1 {
				end++
			}
			s.groups = append(s.groups, group{side: i, from: from.Examples[u], x: make([]float64, end-u)})
			u = end
		}
	}
	return s
}

// hasScalar reports whether there is a scalar.
func (s *Solver[T]) hasScalar() bool { return s.p.Tied || s.p.Cost > 0 }

// of returns the variables of a side, and the scores of their examples.
func (s *Solver[T]) of(side int) (x, f []float64) {
	for _, g := range s.groups {
		if g.side == side {
			x, f = append(x, g.x...), append(f, s.f[g.from:g.to()]...)
		}
	}
	return x, f
}

// each calls do with the variables of a side.
func (s *Solver[T]) each(side int, do func(g *group, u int)) {
	for i := range s.groups {
		if g := &s.groups[i]; g.side == side {
			for u := range g.x {
				do(g, u)
			}
		}
	}
}

// Duals calls do with each variable: its side, 0 for Plus and 1 for Minus, its example and v.
func (s *Solver[T]) Duals(do func(side, i int, v float64)) {
	for _, g := range s.groups {
		for u, x := range g.x {
			do(g.side, g.from+u, math.Abs(x))
		}
	}
}

// Set sets the variables, whose scores are f and which the scalar at allows. Where there is none at does not matter.
func (s *Solver[T]) Set(v func(side, i int) float64, f []float64, at float64) {
	for _, g := range s.groups {
		for u := range g.x {
			g.x[u] = v(g.side, g.from+u) * float64(1-2*g.side)
		}
	}
	copy(s.f, f)
	if s.hasScalar() {
		s.setScalar(at)
	}
}

// Begin sets the scalar of v = 0, and the variables to what it takes: where sums are tied to it, all of a side to the
// same.
func (s *Solver[T]) Begin(at float64) {
	if !s.hasScalar() {
		return
	}
	s.setScalar(at)
	if s.tied {
		for i, side := range []interior.Side{s.p.Plus, s.p.Minus} {
			s.each(i, func(g *group, u int) { g.x[u] = at / float64(len(side.Examples)) * float64(1-2*i) })
		}
		s.Rescore()
	}
}

// Again goes on after Set from where another Solver was with other examples.
func (s *Solver[T]) Again(last *Solver[T]) {
	s.eps, s.count, s.began, s.tryInterior = last.eps, last.count, last.began, last.Interior()
	s.scalar.tries, s.scalar.factor = last.scalar.tries, 1.05
}

// Steps returns how many pair steps there have been.
func (s *Solver[T]) Steps() int { return s.count }

// Scores returns f, which may be set to what is more precise.
func (s *Solver[T]) Scores() []float64 { return s.f }

// Scalar returns s.
func (s *Solver[T]) Scalar() float64 { return s.scalar.at }

// Kernel returns the matrix.
func (s *Solver[T]) Kernel() *kernel.Matrix[T] { return s.k }

// Rescore computes the scores anew.
func (s *Solver[T]) Rescore() {
	c := vec.NewMatrix[float64](len(s.f), 1)
	s.coefficients(c.Data)
	s.k.Multiply64(vec.MatrixOf(len(s.f), 1, s.f), c, s.workers)
}

// Train takes up to most pair steps, and looks where the scalar is to go next when they have reached their end; or a
// step of package interior where that has replaced them. It returns how many examples that was visits of.
func (s *Solver[T]) Train(most int) (visits int) {
	if s.interior != nil || s.slow() {
		if s.interiorStep() {
			return len(s.f)
		}
	}
	if to := s.scalar.to; to > 0 && to != s.scalar.at {
		s.moveScalar(to)
	}
	s.scalar.to = 0
	before := s.count
	solved := s.solve(s.eps, most)
	guess := s.measure()
	visits = 2 * max(s.count-before, 1)
	switch {
	case !solved:
		return visits
	case !s.hasScalar():
		s.eps /= 3
		return visits
	}
	slope, off := s.slope()
	if math.Abs(slope) <= s.eps/2*off || slope > 0 && s.scalar.at >= s.maxScalar() {
		s.eps /= 4 // the sign is not to be believed yet
		return visits
	}
	if s.scalar.tries > 0 {
		guess = 0
	}
	s.scalar.to = s.scalar.next(slope, guess, s.maxScalar())
	return visits
}

// measure computes the certificate.
func (s *Solver[T]) measure() (guess float64) {
	plus, f := s.of(0)
	minus, below := s.of(1)
	s.Certificate, guess = s.judge(plus, f, minus, below, s.Norm())
	return guess
}

// slope returns the slope of the optimum by the scalar, from the multipliers m of the sums, and how much it is off
// where m is off by 1. With the slope e = max(0, m - linear + f) of a variable of Minus without its Quadratic and bound
// it is
//
//	sum ratio e  or  sum e²/(2 curve), less cost, plus m of Plus less m of Minus where sums are tied,
//
// and there m of Minus is where that is least: ratio times the sum of the 1/ratio largest f - linear.
func (s *Solver[T]) slope() (slope, off float64) {
	minus, e := s.sides[1], s.extremes()
	_, below := s.of(1)
	if s.tied {
		share := min(1/s.p.Minus.Ratio, float64(len(below)))
		at := make([]int, int(math.Ceil(share)))
		solvers.Rank(at, below)
		for _, u := range at {
			if u < 0 {
				return math.NaN(), 1 // there are scores that are NaN
			}
			slope += min(share, 1) * s.p.Minus.Ratio * (below[u] - minus.linear)
			share--
		}
		return slope + e[0].multiplier(), 1
	}
	_, both := s.violation()
	slope = -s.p.Cost
	for _, f := range below {
		left := max(0, both.multiplier()-minus.linear+f)
		switch {
		case s.p.Curve > 0:
			slope, off = slope+left*left/(2*s.p.Curve), off+left/s.p.Curve
		case left > 0:
			slope, off = slope+s.p.Minus.Ratio*left, off+s.p.Minus.Ratio
		}
	}
	return slope, off
}
