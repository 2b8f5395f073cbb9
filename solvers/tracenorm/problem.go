package tracenorm

import (
	"context"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// name is what the family is called in files and errors.
const name = "tracenorm"

// Problem is what a model is learned from: examples with one true class each.
type Problem[T vec.Float] struct {
	X design.Matrix[T] // n examples by d features
	Y []int            // the class of each example, in 0..m-1

	// W0, which the quadratic penalty pulls W to: Lambda2 |W - W0|_F². d-by-m, and with Config.Bias one more row, the
	// constant feature's. As a rule it is the model of a related problem, linear.Model.Prior of Model.Dense. |W|_*
	// stays: W has a low rank whatever W0 has. Lambda2 must be above 0, unless both are 0. The weights are W's as it is
	// trained: the constant feature's stand for examples less their mean, unless Config.Raw. default: 0
	Prior vec.Matrix[float64]

	Names   []string   // of the m classes; default: none
	Weights []float64  // of the losses of the examples, >= 0; default: 1 each
	Start   *Result[T] // of examples with the same features and classes, whatever its Config was; default: from 0
}

// Model is W in factors, with the offsets that the mean of the examples and the constant feature stand for. Its scores
// are the softmax's: solvers.Probabilities has what they say of each class.
type Model[T vec.Float] = linear.LowRank[T]

// Result is what Fit returns: a model, and how its training ended. Keep only Model to let the rest go.
type Result[T vec.Float] struct {
	*Model[T]
	solvers.Outcome

	// Spectrum are the singular values of W, descending, with the weights of a constant feature as its last row: their
	// number is the rank of W.
	Spectrum []float64

	// Duals is A, n-by-m: row i is w_i (p_i - e_y) for probabilities p_i of the classes, the class y of example i and
	// its weight w_i. At the optimum p_i is the softmax of the scores.
	Duals vec.Matrix[T]

	constant []T // the row of U for the constant feature, which the model has as offsets
}

// Fit trains a model on the n examples of x and their classes y: the short form of Problem.Fit.
func Fit[T vec.Float](ctx context.Context, x design.Matrix[T], y []int, c Config) (*Result[T], error) {
	return Problem[T]{X: x, Y: y}.Fit(ctx, c)
}

// Fit trains a model. It returns an error that names the value and its place where p and c make no problem to solve:
// labels out of range or all the same, numbers that are not finite. Running out of passes before Tol is reached is no
// error but a Status.
//
// Where both Lambda1 and Lambda2 are 0, Lambda1 is LargestLambda1 over 2000, and Lambda2 a tenth of Lambda1: little,
// for accuracy, also where a few features are much larger than the others. More makes the rank lower. That one of them
// is above 0 is what bounds the dual from below: there is no certificate without.
//
// Which model it returns, also when ctx ends, [solvers.Outcome] says.
//
// An epoch is a step of L-BFGS on the factors of W, with the scores and the gradient of all examples once as a rule:
// O(n d m), or O(nonzeros m) for sparse examples, besides O(d m Rank) and 120 (d + m) Rank for what L-BFGS remembers.
// It looks at the singular values of the gradient, O(d m min(d, m)), in every step, or in one of some steps where there
// are many classes. First steps are on samples of 50 and 200 examples of each class, where these are at most a quarter
// of all.
//
// Memory besides x: n m numbers in T and, for certificates, n m in float64; some 10 d m, and 120 (d + m) Rank for
// L-BFGS, or fewer where that would be more than 512 MB. Sparse examples are copied by columns, and so are those that
// hold few numbers other than 0.
func (p Problem[T]) Fit(ctx context.Context, c Config) (*Result[T], error) {
	return family.Fit(ctx, name, p.prepare, c, c.options())
}

// Resume continues the training of p and c whose state Config.Checkpoint saved: see [solvers.Checkpoint].
func (p Problem[T]) Resume(ctx context.Context, state io.Reader, c Config) (*Result[T], error) {
	if p.Start != nil {
		return nil, fmt.Errorf("%s: a state to resume from, and Start: want one of them", name)
	}
	return family.Resume(ctx, name, state, p.prepare, c, c.options())
}

// LargestLambda1 returns the least Lambda1 for which W = 0 is the optimum, whatever Lambda2: the largest singular value
// of the gradient of the loss at 0. Those below it are worth trying. It takes a pass over the examples. With a Prior
// the gradient has -2 Lambda2 W0 besides, with the Lambda2 of c.
func (p Problem[T]) LargestLambda1(c Config) (float64, error) {
	pulls := p.Prior.Rows > 0 && c.Lambda2 != 0
	c.Lambda1 = 1 // any
	if !pulls {
		c.Lambda2 = 1
	}
	t, err := p.prepare(c, c.options())
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	b, err := t.base()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	if pulls {
		b.SetPrior(t.w0)
	}
	return b.AtZero(), nil
}
