package beam

import (
	"github.com/dualgap/dualgap/internal/cholesky"
	"github.com/dualgap/dualgap/vec"
)

// visited is weights, with what a pass has found there: C, the gradient of the loss of all rows less the gradient of
// the sample's, and R, the gradient of J.
type visited struct {
	w, c, r vec.Matrix[float64]
	pass    int
}

// mixing returns numbers alpha of sum 1 for which |sum_k alpha_k R_k| is least (Anderson: "Iterative Procedures for
// Nonlinear Integral Equations", Journal of the ACM, 1965). Where the loss is about quadratic the same mixture of the
// weights has that gradient. With the Gram matrix G of the R_k alpha is G⁻¹ 1 but for its length; 1e-10 of its diagonal
// is added, since gradients may all but depend on each other. O(k² d m) for k passes.
func mixing(all []visited) []float64 {
	n := len(all)
	gram, alpha := vec.NewMatrix[float64](n, n), vec.NewMatrix[float64](n, 1)
	for k := range n {
		alpha.Data[k] = 1
		for l := range k {
			gram.Row(k)[l] = inner(all[k].r, all[l].r)
		}
		gram.Row(k)[k] = (1 + 1e-10) * square(all[k].r)
	}
	if err := cholesky.Factor(gram, 1); err != nil { // a gradient of 0
		clear(alpha.Data)
		alpha.Data[n-1] = 1
		return alpha.Data
	}
	cholesky.Solve(gram, alpha, 1)
	vec.Scale(1/vec.Sum(alpha.Data), alpha.Data)
	return alpha.Data
}

// mostMixed returns how many passes are mixed: 128 MB of them at most.
func mostMixed(p *ProblemSpec) int { return max(1, min(8, 1<<24/(3*p.inputs()*p.Classes))) }
