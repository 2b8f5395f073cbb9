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
// both are places among the rows, of which level has more, not active: losses weigh as much as if they were all.
func (o *objective) sides(rows, level []int) interior.Problem {
	alphas := interior.Side{Linear: 1 / o.Theta1}
	betas := interior.Side{}
	for p, i := range rows {
		if o.positive[i] {
			alphas.At = append(alphas.At, p)
		}
		if o.ranked(i) {
			betas.At = append(betas.At, p)
		}
	}
	c, bound := o.share(level)
	if o.Loss == Hinge {
		alphas.Upper = c * o.Theta1
	} else {
		alphas.Quadratic = 1 / (2 * c * o.Theta1 * o.Theta1)
	}
	p := interior.Problem{Plus: alphas, Minus: betas}
	switch {
	case o.Method == TopPush && o.K > 1:
		p.Tied, p.Minus.Ratio = true, 1/float64(o.K)
	case o.Method == PatMat:
		p.Cost, p.Minus.Linear = bound, 1/o.Theta2
		if o.Loss == Hinge {
			p.Minus.Ratio = o.Theta2
		} else {
			p.Curve = 1 / (2 * o.Theta2 * o.Theta2)
		}
	}
	return p
}

// share returns C and Tau n of the problem of some of the examples, as if they were all.
func (o *objective) share(level []int) (c, bound float64) {
	for _, i := range level {
		if o.ranked(i) {
			bound += o.Tau
		}
	}
	return o.C * float64(len(o.positive)) / float64(len(level)), bound
}

// inner returns the training on the rows, whose kernel matrix is k.
func (s *training[T]) inner(k *kernel.Matrix[T], rows, level []int) *pairs.Solver[T] {
	o := &objective{Config: s.Config}
	o.C, o.bound = s.share(level)
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
	return pairs.New(k, s.sides(rows, level), judge, 0.3/s.Theta1, s.Workers)
}

// first is where the search for the scalar begins: S, a tenth of what it is while all scores are 0, or delta at these.
func (s *training[T]) first() float64 {
	c, bound := s.share(s.set.Level())
	o := &objective{Config: s.Config, bound: bound}
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
		return 0.1 * c * sum
	}
	t := o.threshold(f[:ranked])
	_, alphas := o.losses(f[:positive], t)
	_, betas := o.passing(f[:ranked], t)
	return c * alphas / betas
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
