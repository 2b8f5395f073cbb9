package toprank

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// base is what trainings have, and what the last certificate is of.
type base[T vec.Float] struct {
	*objective
	x     solvers.Features[T] // nil where the model is a kernel's
	f     []float64           // scores of all examples as last computed
	epoch int

	estimate solvers.Certificate // what the epochs saw

	alpha, beta  []float64
	coefficients vec.Matrix[T] // of the model, n-by-1: alpha - beta rounded to T, or, of features, the weights, d-by-1
	t            float64
}

func (s *base[T]) trained() *base[T] { return s }

func (s *base[T]) Estimate() solvers.Certificate { return s.estimate }

// judge returns the certificate of the dual variables, whose scores have |w|² = exact, and of the model with the scores f and
// |w|² = norm; and keeps its threshold.
func (s *base[T]) judge(exact float64, f []float64, norm float64) (c solvers.Certificate, err error) {
	c.Primal, s.t = s.Primal(f, norm)
	c.Dual = s.Dual(s.alpha, s.beta, exact)
	if gap := c.Gap(); gap-gap != 0 {
		return c, fmt.Errorf("numbers that are not finite: %v", c)
	} else if least := -1e-6 * c.Primal; norm < least || exact < least || gap < least {
		return c, fmt.Errorf("the kernel matrix is not positive semi-definite: |w|² = %v, %v", norm, c)
	}
	return c, nil
}

// byWeights computes the weights of the dual variables, Xᵀ c in float64 and rounded to T, the scores f by the former, and
// the certificate of the latter.
func (s *base[T]) byWeights() (solvers.Certificate, error) {
	n, d := s.x.Dims()
	wide, a, w := solvers.Float64(s.x), vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](d, 1)
	for i := range n {
		a.Data[i] = s.alpha[i] - s.beta[i]
	}
	workers := s.config.Workers
	solvers.AccumulateAll(w, a, wide, workers)
	solvers.ScoresAll(vec.MatrixOf(n, 1, s.f), w, wide, workers)
	exact := vec.SquaredNorm(w.Data)
	s.coefficients = vec.NewMatrix[T](d, 1)
	vec.Convert(s.coefficients.Data, w.Data)
	vec.Convert(w.Data, s.coefficients.Data)
	solvers.ScoresAll(a, w, wide, workers)
	return s.judge(exact, a.Data, vec.SquaredNorm(w.Data))
}

// Certify computes the scores of all examples in float64, by the dual variables and by the model's coefficients, which are
// these rounded to T.
func (s *training[T]) Certify() (c solvers.Certificate, err error) {
	if c, err = s.certify(s.duals()); err != nil {
		err = fmt.Errorf("after %d epochs %w", s.epoch, err)
	}
	s.estimate = c
	return c, err
}

func (s *training[T]) certify(alpha, beta []float64) (solvers.Certificate, error) {
	s.Feasible(alpha, beta)
	s.alpha, s.beta = alpha, beta
	if s.x != nil {
		return s.byWeights()
	}
	n := len(s.f)
	s.coefficients = vec.NewMatrix[T](n, 1)
	a, f := vec.NewMatrix[float64](n, 2), vec.NewMatrix[float64](n, 2)
	for i := range n {
		exact := alpha[i] - beta[i]
		s.coefficients.Data[i] = T(exact)
		a.Row(i)[0], a.Row(i)[1] = exact, float64(T(exact))
	}
	s.wide.Multiply(f, a, s.config.Workers)
	exact, norm, model := 0.0, 0.0, make([]float64, n)
	for i := range n {
		a, f := a.Row(i), f.Row(i)
		exact += a[0] * f[0]
		norm += a[1] * f[1]
		s.f[i], model[i] = f[0], f[1]
	}
	return s.judge(exact, model, norm)
}

// duals returns the dual variables of all examples.
func (s *training[T]) duals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	if s.in != nil {
		s.in.Duals(func(side, p int, v float64) { [2][]float64{alpha, beta}[side][s.set.At()[p]] = v })
	}
	return alpha, beta
}
