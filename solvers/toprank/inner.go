package toprank

import (
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/solvers/internal/pairs"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// sides returns the dual as package interior has it: alphas are the variables of Plus, betas those of Minus. The examples of
// both are places among the rows; positive is of all examples, tied whether sums are S.
func (o *objective) sides(rows []int, positive []bool, tied bool) interior.Problem {
	alphas := interior.Side{Linear: 1 / o.Theta1}
	betas := interior.Side{}
	for p, i := range rows {
		if positive[i] {
			alphas.At = append(alphas.At, p)
		}
		if o.All || !positive[i] {
			betas.At = append(betas.At, p)
		}
	}
	if o.Loss == Hinge {
		alphas.Upper = o.most()
	} else {
		alphas.Quadratic = o.curvature()
	}
	p := interior.Problem{Plus: alphas, Minus: betas}
	switch {
	case tied:
		p.Tied, p.Minus.Ratio = true, 1/float64(o.K)
	case o.Method == PatMat:
		p.Cost, p.Minus.Linear = o.bound, 1/o.Theta2
		if o.Loss == Hinge {
			p.Minus.Ratio = o.Theta2
		} else {
			p.Curve = 1 / (2 * o.Theta2 * o.Theta2)
		}
	}
	return p
}

// level returns the problem of some of the examples, as if they were all: C weighs as much, and K is as large a part.
func (o *objective) level(rows []int) *objective {
	l := &objective{Config: o.Config}
	share := float64(len(rows)) / float64(len(o.positive))
	l.C = o.C / share
	ranked := 0
	for _, i := range rows {
		if o.ranked(i) {
			ranked++
		}
	}
	l.bound = o.Tau * float64(ranked)
	l.K = max(min(o.K, 1), min(ranked, int(math.Round(float64(o.K)*share))))
	return l
}

// inner returns the training on the rows, whose kernel matrix is k, as a part of those of the level.
func (s *training[T]) inner(k *kernel.Matrix[T], rows, level []int) *pairs.Solver[T] {
	o := s.level(level)
	judge := func(alpha, f, beta, ranked []float64, norm float64) (c solvers.Certificate, scalar float64) {
		t := o.threshold(ranked)
		losses, alphas := o.losses(f, t)
		c = solvers.Certificate{Primal: norm/2 + o.C*losses, Dual: o.dual(alpha, beta, norm)}
		if o.Method == PatMat {
			_, betas := o.passing(ranked, t)
			scalar = o.C * alphas / betas
		}
		return c, scalar
	}
	return pairs.New(k, o.sides(rows, s.positive, s.tied()), judge, 0.3/s.Theta1, s.Workers)
}

// tied reports whether the sums are: K of a level may be 1 where that of the problem is not.
func (o *objective) tied() bool { return o.Method == TopPush && o.K > 1 }

// first is where the search for the scalar begins: S, a tenth of what it is while all scores are 0, or delta at these.
func (s *training[T]) first() float64 {
	o := s.level(s.set.Level())
	positive, ranked := 0, 0
	for _, i := range s.set.At() {
		if s.positive[i] {
			positive++
		}
		if s.ranked(i) {
			ranked++
		}
	}
	f := make([]float64, max(positive, ranked))
	if s.Method == TopPush {
		_, sum := o.losses(f[:positive], 0)
		return 0.1 * o.C * sum
	}
	t := o.threshold(f[:ranked])
	_, alphas := o.losses(f[:positive], t)
	_, betas := o.passing(f[:ranked], t)
	return o.C * alphas / betas
}

// scalar is the best one for dual variables: S, or delta.
func (o *objective) scalar(alpha, beta []float64) float64 {
	switch {
	case o.Method == TopPush:
		return vec.Sum(alpha)
	case o.Loss == Hinge:
		return vec.Max(beta) / o.Theta2
	}
	return math.Sqrt(vec.SquaredNorm(beta)/o.bound) / 2 / o.Theta2
}

// norm returns |w|² of the active examples.
func (s *training[T]) norm() (sum float64) {
	f := s.in.Scores()
	s.in.Duals(func(side, p int, v float64) { sum += float64(1-2*side) * v * f[p] })
	return sum
}
