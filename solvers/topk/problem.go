package topk

import (
	"context"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// name is what the family is called in files and errors.
const name = "topk"

// Problem is what a model is learned from: examples by their features or by a kernel, with one true class each or a set
// of them. What a combination lacks is an error that says so.
type Problem[T vec.Float] struct {
	X design.Matrix[T] // n examples by d features, or
	// n-by-n, their inner products: the model is then sum_i phi(x_i) a_iᵀ, and W is never formed
	Kernel *kernel.Matrix[T]

	Y    []int   // the class of each example, in 0..m-1, or
	Sets [][]int // its true classes, any number of them

	// A loss of one's own in place of Config.Loss, with its K and smoothing; nil: that one. A state tells losses apart
	// by the name in their Traits: parameters belong into it. Exact is the same loss in float64, for certificates; nil:
	// Loss, where T is float64.
	Loss  loss.Loss[T]
	Exact loss.Loss[float64]

	// W0, which the penalty pulls W to, Lambda/2 |W - W0|²: d-by-m, and with Config.Bias one more row, the constant
	// feature's. As a rule it is the model of a related problem: linear.Model.Prior. It must not change while training
	// lasts. Where it has more columns than the labels say, and nothing else gives their number, these are the classes.
	// Not with a Kernel. default: 0
	Prior vec.Matrix[float64]

	Names   []string   // of the m classes; default: none
	Weights []float64  // of the losses of the examples, >= 0; default: 1 each
	Start   *Result[T] // of the same examples, whatever Lambda, weights or loss it had; default: from 0
}

// Result is what Fit returns: a model, how its training ended, and the dual variables that prove it. Keep only Model to
// let the rest go.
type Result[T vec.Float] struct {
	*model.Model[T]
	solvers.Outcome

	// Duals is A, n-by-m, Theorem 1: with x_ic >= 0 for the classes c other than y_i, entry (i, c) is -x_ic and entry
	// (i, y_i) is sum_c x_ic up to the rounding of each to T; certificates take the sum itself. Where the model is the
	// last epoch's, W is sum_i x_i a_iᵀ, rounded to T. Each row of A is in the domain of the conjugate of the loss but
	// for such rounding: see package loss.
	Duals vec.Matrix[T]
}

// Fit trains a model on the n examples of x and their classes y: the short form of Problem.Fit.
func Fit[T vec.Float](ctx context.Context, x design.Matrix[T], y []int, c Config) (*Result[T], error) {
	return Problem[T]{X: x, Y: y}.Fit(ctx, c)
}

// Fit trains a model. It returns an error that names the value and its place where p and c make no problem to solve:
// labels out of range or all the same, numbers that are not finite, K >= m, Lambda <= 0. Running out of passes before
// Tol is reached is no error but a Status.
//
// Which model it returns, also when ctx ends, [solvers.Outcome] says.
//
// With features an epoch that visits all examples costs O(n d m), or O(nonzeros m) for sparse examples, and so does a
// certificate, in float64. Of x there is a sparse copy where less than two fifths of its numbers are not 0; what else
// takes memory, see Memory.
//
// With a kernel the scores of the active examples are at hand all the time, so that what an example has to gain is
// known in O(m), and an epoch looks for rows of K of those alone that have more to gain than a tenth of the mean,
// BlockSize (default: 64) at a time. Active are all examples, or, with a hinge and from 4096 examples of a kernel that
// is not precomputed on, the support vectors and the examples that the model has a loss on, in levels of some thousand
// examples, four times as many, and so on up to all. A row of a active examples costs what kernel.Matrix.Rows says of a
// examples, and O(a m); rows are kept under the budget of Kernel. A look at the other examples costs their scores; a
// certificate, in float64, evaluates the kernel once for each pair of examples of which one is a support vector.
// Workers share the computation of rows and the products with them: the result has the same bits for any number of
// them.
func (p Problem[T]) Fit(ctx context.Context, c Config) (*Result[T], error) {
	return family.Fit(ctx, name, p.prepare, c, c.options())
}

// Resume continues the training of p and c whose state Config.Checkpoint saved: see [solvers.Checkpoint].
func (p Problem[T]) Resume(ctx context.Context, state io.Reader, c Config) (*Result[T], error) {
	return family.Resume(ctx, name, state, p.prepare, c, c.options())
}

// Memory estimates from above what Fit takes besides the examples, or returns the error of the Problem or the Config.
// Where the Config has a Checkpoint that saves, a state held in memory counts as well. O(n).
//
// It is at most a quarter more than what is alive at a time. Its leading terms are, with features, 2 n m + (4 + w) d m
// numbers of T and c d m of float64, where w of the Workers move copies of the weights, none where there is one, and c
// of them certify; where groups of classes are trained apart 3 n m + 4 d m numbers of T; with a kernel 6 n m numbers of
// T, (8 n + 2^11 min(64, n/128)) m + 3072 d of float64, and the rows of K that are kept. Where the examples that are
// active change, there may be 32 MB of such rows twice for a moment: that is counted always.
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	return family.Memory(name, p.prepare, c, c.options())
}
