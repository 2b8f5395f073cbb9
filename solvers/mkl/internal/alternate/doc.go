// Package alternate trains a support vector machine on a weighted sum of kernels, and the weights: the method of p-norm
// multi-kernel learning. Package mkl has the problem, its dual and their formulas.
//
// It alternates between a machine on K = sum_j eta_j K^j, of the active examples, which goes on from where the last one
// ended, and a step of eta. Both objectives of the whole problem are known at the end of each machine, at the cost of a
// pass over the pairs of support vectors, for any eta and any dual variables; the best of each are kept, and the best
// multiples of these.
package alternate

import (
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// Problem is what is solved: minimise 1/2 |w|²_{2,p} + sum_i r_i loss_i.
type Problem[T vec.Float] struct {
	Bundle  *bundle.Bundle[T]
	Machine ascent.Problem[T] // its labels, outputs, radii and losses, whose dual terms are linear in A; Lambda is 1
	P       float64           // in (1, 2]

	solvers.Options     // with all defaults
	ActiveFrom      int // examples from which a training works on some of them at a time; 0: the default
}
