package toprank

import (
	"fmt"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/vec"
)

// solution is what the last certificate is of.
type solution[T vec.Float] struct {
	alpha, beta  []float64
	coefficients vec.Matrix[T] // of the model, n-by-1: alpha - beta rounded to T, or, of features, the weights, d-by-1
	t            float64
}

// feasible moves dual variables, finite and not negative, into the domain: alphas below their bound, equal sums, betas
// below their cap.
func (o *objective) feasible(alpha, beta []float64) {
	for i, v := range alpha {
		alpha[i] = min(v, o.most())
	}
	a, b := vec.Sum(alpha), vec.Sum(beta)
	switch {
	case a > b:
		vec.Scale(b/a, alpha)
	case b > a:
		vec.Scale(a/b, beta)
	}
	if o.Method == TopPush && o.K > 1 {
		var at []int
		for i := range beta {
			if o.ranked(i) {
				at = append(at, i)
			}
		}
		o.cap(beta, at, min(a, b))
	}
}

// cap projects the betas of the examples at, whose sum is S, on those below the cap S/K.
func (o *objective) cap(beta []float64, at []int, sum float64) {
	most := sum / float64(o.K)
	if vec.Max(beta) <= most*(1+0x1p-40) {
		return
	}
	some := ascent.Pick(beta, at)
	_, err := project.Knapsack(some, some, 0, most, project.Equal, sum, new(project.Workspace[float64]))
	for q, i := range at {
		if beta[i] = some[q]; err != nil { // K is their number, and the sum above that of the caps by rounding
			beta[i] = most
		}
	}
}

// judge returns the certificate of dual variables whose scores have |w|² = exact, and of the model with the scores f and |w|²
// = norm; and its threshold.
func (o *objective) judge(alpha, beta []float64, exact float64, f []float64, norm float64) (c solvers.Certificate, t float64, err error) {
	c.Primal, t = o.primal(f, norm)
	c.Dual = o.dual(alpha, beta, exact)
	if gap := c.Gap(); gap-gap != 0 {
		return c, t, fmt.Errorf("numbers that are not finite: %v", c)
	} else if least := -1e-6 * c.Primal; norm < least || exact < least || gap < least {
		return c, t, fmt.Errorf("the kernel matrix is not positive semi-definite: |w|² = %v, %v", norm, c)
	}
	return c, t, nil
}

// duals returns the dual variables of all examples.
func (s *training[T]) duals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	if s.in != nil {
		s.in.Duals(func(side, p int, v float64) { [2][]float64{alpha, beta}[side][s.set.At()[p]] = v })
	}
	return alpha, beta
}

// Certify computes the scores of all examples in float64, by the dual variables and by the model's coefficients, which are
// these rounded to T.
func (s *training[T]) Certify() (solvers.Certificate, error) {
	certificate, err := s.certify(s.duals())
	s.estimate = certificate
	if err != nil {
		err = fmt.Errorf("after %d epochs %w", s.epoch, err)
	}
	return certificate, err
}

func (s *training[T]) certify(alpha, beta []float64) (c solvers.Certificate, err error) {
	s.feasible(alpha, beta)
	s.alpha, s.beta = alpha, beta
	if s.x != nil {
		return s.solution.certify(s.objective, s.x, s.f)
	}
	n := len(s.f)
	s.coefficients = vec.NewMatrix[T](n, 1)
	a, f := vec.NewMatrix[float64](n, 2), vec.NewMatrix[float64](n, 2)
	for i := range n {
		exact := alpha[i] - beta[i]
		s.coefficients.Data[i] = T(exact)
		a.Row(i)[0], a.Row(i)[1] = exact, float64(T(exact))
	}
	s.wide.Multiply(f, a, s.Workers)
	exact, norm, model := 0.0, 0.0, make([]float64, n)
	for i := range n {
		a, f := a.Row(i), f.Row(i)
		exact += a[0] * f[0]
		norm += a[1] * f[1]
		s.f[i], model[i] = f[0], f[1]
	}
	c, s.t, err = s.judge(alpha, beta, exact, model, norm)
	return c, err
}

// certify computes the weights of the dual variables, Xᵀ c in float64 and rounded to T, the scores f by the former, and
// the certificate of the latter.
func (s *solution[T]) certify(o *objective, x solvers.Features[T], f []float64) (c solvers.Certificate, err error) {
	n, d := x.Dims()
	wide, a, w := solvers.Float64(x), vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](d, 1)
	for i := range n {
		a.Data[i] = s.alpha[i] - s.beta[i]
	}
	solvers.AccumulateAll(w, a, wide, o.Workers)
	solvers.ScoresAll(vec.MatrixOf(n, 1, f), w, wide, o.Workers)
	exact := vec.SquaredNorm(w.Data)
	s.coefficients = vec.NewMatrix[T](d, 1)
	vec.Convert(s.coefficients.Data, w.Data)
	vec.Convert(w.Data, s.coefficients.Data)
	solvers.ScoresAll(a, w, wide, o.Workers)
	c, s.t, err = o.judge(s.alpha, s.beta, exact, a.Data, vec.SquaredNorm(w.Data))
	return c, err
}
