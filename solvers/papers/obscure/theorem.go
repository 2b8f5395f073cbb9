package obscure

import (
	"cmp"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// Theorem2 returns what Theorem 2 says of stage 1 with the step eta, 0 for 2, where a u of the norm |u|_{2,p} separates
// the examples, u·(phi(x_i, y_i) - phi(x_i, y)) >= 1 for all i and y != y_i:
//
//	moves < 2q (1/eta + X F^{2/q}) |u|²,  R < 2 (1 + eta X F^{2/q}) |u|.
//
// The paper's steps are the ones that move theta, and the R is the R of the theta at which none moves it any more. The
// paper has X = 1, since it assumes |phi^j(x_i, y_i)| <= 1; here X is the largest |phi^j(x_i, y_i)|². O(n F).
func (p Problem[T]) Theorem2(eta, norm float64) (moves, r float64) {
	p.P, eta = cmp.Or(p.P, 1.25), cmp.Or(eta, 2)
	x, q, kernels := 0.0, p.P/(p.P-1), p.Bundle.Kernels()
	diagonal := make([]T, p.Bundle.Len())
	for j := range kernels {
		p.Bundle.Diagonal(diagonal, j)
		for _, v := range diagonal {
			x = max(x, float64(v))
		}
	}
	x *= math.Pow(float64(kernels), 2/q)
	return 2 * q * (1/eta + x) * norm * norm, 2 * (1 + eta*x) * norm
}

// Separation returns the |u|_{2,p} of Theorem 2 for the w of weights of the kernels and coefficients a, n-by-Classes,
// as bundle.NewCombination takes them: |w|_{2,p} over the least margin of an example. It is +Inf where w separates the
// examples not at all, and an error where these are no model. O(n² F) and O(n² Classes F).
func (p Problem[T]) Separation(weights []float64, a vec.Matrix[T], workers int) (norm float64, err error) {
	p.P = cmp.Or(p.P, 1.25)
	m, err := bundle.NewCombination(p.Bundle, weights, a, nil)
	if err != nil {
		return 0, fmt.Errorf("obscure: %w", err)
	}
	for j, form := range p.Bundle.Forms([]vec.Matrix[T]{a}, workers)[0] {
		norm += math.Pow(weights[j]*math.Sqrt(max(0, form)), p.P)
	}
	scores, margin := vec.NewMatrix[T](a.Rows, a.Cols), math.Inf(1)
	m.ScoresOf(scores, p.Bundle, nil, nil, workers)
	for i, y := range p.Y {
		for k, v := range scores.Row(i) {
			if k != y {
				margin = min(margin, float64(scores.Row(i)[y])-float64(v))
			}
		}
	}
	if !(margin > 0) {
		return math.Inf(1), nil
	}
	return math.Pow(norm, 1/p.P) / margin, nil
}
