package toprank

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// base is the state that all trainings have, with the solution that was certified last.
type base[T vec.Float] struct {
	*objective
	x     design.Matrix[T]        // nil where the model is a kernel's
	wide  *kernel.Matrix[float64] // the kernel for certificates, where the model is
	f     []float64               // scores of all examples as last computed
	epoch int

	estimate solvers.Certificate // what the epochs saw

	alpha, beta  []float64
	coefficients vec.Matrix[T] // of the model, n-by-1: alpha - beta rounded to T, or, of features, the weights, d-by-1
	t            float64
	fresh        bool // the last certificate is of the training as it is
}

func (s *base[T]) Estimate() solvers.Certificate { return s.estimate }

// Zero: see train.Certified, as of the next ones. The dual value of variables that are all 0 is 0.
func (s *base[T]) Zero() (c solvers.Certificate) {
	c.Primal, _ = s.Primal(make([]float64, len(s.Positive)), 0)
	return c
}

// DualVariables returns alpha and beta.
func (s *base[T]) DualVariables() *train.Variables[T] {
	return &train.Variables[T]{Numbers: slices.Concat(s.alpha, s.beta)}
}

// Fits takes coefficients or weights with a threshold, and as many alphas and betas as examples.
func (s *base[T]) Fits(primal, dual train.Variables[T]) bool {
	model := len(primal.Matrices) == 1 && len(primal.Numbers) == 1 && primal.Matrices[0].Rows == s.size() &&
		primal.Matrices[0].Cols == 1
	return (model || primal.None()) && (dual.None() || dual.Matrices == nil && len(dual.Numbers) == 2*len(s.f))
}

// size returns the number of coefficients, or weights.
func (s *base[T]) size() int {
	if s.x == nil {
		return len(s.f)
	}
	_, d := s.x.Dims()
	return d
}

// model returns what the model is made of: where it was not certified as it is that is done aside.
func (s *base[T]) model(certify func() (solvers.Certificate, error)) (v train.Variables[T], err error) {
	if !s.fresh {
		now, f := *s, slices.Clone(s.f)
		defer func() {
			*s = now
			copy(s.f, f)
		}()
		if _, err = certify(); err != nil {
			return v, err
		}
	}
	return train.Variables[T]{Matrices: []vec.Matrix[T]{s.coefficients}, Numbers: []float64{s.t}}, nil
}

// judge returns the certificate of the dual variables, whose scores have |w|² = exact, and of the model with the scores
// f and |w|² = norm; and keeps its threshold. check says whether it is to be believed.
func (s *base[T]) judge(exact float64, f []float64, norm float64,
	check func(solvers.Certificate) error) (c solvers.Certificate, err error) {
	c.Primal, s.t = s.Primal(f, max(0, norm))
	c.Dual = s.Dual(s.alpha, s.beta, max(0, exact))
	s.fresh = true
	if gap := c.Gap(); gap-gap != 0 {
		return c, fmt.Errorf("%w: %v", train.ErrRounding, c)
	}
	size := max(math.Abs(c.Primal), math.Abs(c.Dual))
	if off := s.Rounding(f); !(off <= max(c.Gap(), s.Tol*size)) {
		return c, fmt.Errorf("%w: %v, of which %.1g may be rounding of scores and threshold", train.ErrRounding, c, off)
	}
	return c, check(c)
}

// byWeights computes the weights of the dual variables, Xᵀ c in float64 and rounded to T, the scores f by the former,
// and the certificate of the latter.
func (s *base[T]) byWeights() (solvers.Certificate, error) {
	n, d := s.x.Dims()
	wide, a, w := design.Float64(s.x), vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](d, 1)
	for i := range n {
		a.Data[i] = s.alpha[i] - s.beta[i]
	}
	workers, norms := s.Workers, make([]float64, n)
	wide.SquaredNorms(norms)
	rounding := ascent.NewRounding(0, 0, n, d)
	for i, v := range a.Data {
		rounding.Add(norms[i], math.Abs(v))
	}
	design.AccumulateAll(w, a, wide, workers)
	design.ScoresAll(vec.MatrixOf(n, 1, s.f), w, wide, workers)
	exact := vec.SquaredNorm(w.Data)
	s.coefficients = vec.NewMatrix[T](d, 1)
	vec.Convert(s.coefficients.Data, w.Data)
	vec.Convert(w.Data, s.coefficients.Data)
	design.ScoresAll(a, w, wide, workers)
	return s.judge(exact, a.Data, vec.SquaredNorm(w.Data), func(c solvers.Certificate) error {
		return rounding.CheckWeights(c, 1, s.Tol, exact)
	})
}

// Certify computes the scores of all examples in float64, by the dual variables and by the model's coefficients, which
// are these rounded to T.
func (s *training[T]) Certify() (c solvers.Certificate, err error) {
	c, err = s.certified(s.duals())
	s.estimate = c
	return c, err
}

// certified is certify after some epochs.
func (s *base[T]) certified(alpha, beta []float64) (c solvers.Certificate, err error) {
	if c, err = s.certify(alpha, beta); err != nil {
		err = fmt.Errorf("after %d epochs %w", s.epoch, err)
	}
	return c, err
}

func (s *base[T]) certify(alpha, beta []float64) (solvers.Certificate, error) {
	s.Feasible(alpha, beta)
	s.alpha, s.beta = alpha, beta
	if s.x != nil {
		return s.byWeights()
	}
	n := len(s.f)
	diagonal := make([]float64, n)
	s.wide.Diagonal(diagonal)
	worst, typical := s.wide.Rounding()
	rounding := ascent.NewRounding(worst, typical, n, 1)
	s.coefficients = vec.NewMatrix[T](n, 1)
	a, f := vec.NewMatrix[float64](n, 2), vec.NewMatrix[float64](n, 2)
	for i := range n {
		exact := alpha[i] - beta[i]
		s.coefficients.Data[i] = T(exact)
		rounding.Add(diagonal[i], math.Abs(exact))
		a.Row(i)[0], a.Row(i)[1] = exact, float64(T(exact))
	}
	s.wide.Multiply(f, a, s.Workers)
	exact, norm, model := 0.0, 0.0, make([]float64, n)
	for i := range n {
		ai, fi := a.Row(i), f.Row(i)
		exact += ai[0] * fi[0]
		norm += ai[1] * fi[1]
		s.f[i], model[i] = fi[0], fi[1]
	}
	return s.judge(exact, model, norm, func(c solvers.Certificate) error {
		for i, positive := range s.Positive {
			if positive {
				v := max(0, 1+s.config.Theta1*(s.t-model[i]))
				rounding.AddLoss(s.config.C, v*v, 1, s.config.Theta1*(math.Abs(s.t)+math.Abs(model[i])))
			}
		}
		return rounding.Check(c, 1, s.Tol, norm, exact)
	})
}

// PrimalVariables: see train.Certified.
func (s *training[T]) PrimalVariables() (train.Variables[T], error) { return s.model(s.Certify) }

// duals returns the dual variables of all examples.
func (s *training[T]) duals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	if s.solver != nil {
		s.solver.Duals(func(side, p int, v float64) { [2][]float64{alpha, beta}[side][s.levels.At()[p]] = v })
	}
	return alpha, beta
}
