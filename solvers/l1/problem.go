package l1

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// name is what the family is called in files and errors.
const name = "l1"

// Problem is what a model is learned from: examples with one true class each.
type Problem[T vec.Float] struct {
	X design.Matrix[T] // n examples by d features
	Y []int            // the class of each example, in 0..m-1

	Names   []string   // of the m classes; default: none
	Weights []float64  // of the losses of the examples, >= 0; default: 1 each
	Start   *Result[T] // of examples with the same features and classes, whatever its Config was; default: from 0
}

// Model is linear, with a score for each class. Most of its weights are 0.
type Model[T vec.Float] = linear.Model[T]

// Result is what Fit returns: a model, how its training ended, and the dual variables that prove it. Keep only Model to
// let the rest go.
type Result[T vec.Float] struct {
	*Model[T]
	solvers.Outcome

	// Duals is A, n-by-1 for two classes and n-by-m for more: y_il a_il >= 0, at most C times the weight of the example
	// with the logistic loss, and |Xᵀ a_l|_inf <= 1, the constant feature included, up to rounding. Certificates divide
	// a column by what is above 1.
	Duals vec.Matrix[T]
}

// Fit trains a model on the n examples of x and their classes y: the short form of Problem.Fit.
func Fit[T vec.Float](ctx context.Context, x design.Matrix[T], y []int, c Config) (*Result[T], error) {
	return Problem[T]{X: x, Y: y}.Fit(ctx, c)
}

// Nonzeros returns how many features have a weight that is not 0, for any class.
func (r *Result[T]) Nonzeros() (count int) {
	w := r.Weights()
	for j := range w.Rows {
		if slices.ContainsFunc(w.Row(j), func(v T) bool { return v != 0 }) {
			count++
		}
	}
	return count
}

// Fit trains a model. It returns an error that names the value and its place where p and c make no problem to solve:
// labels out of range or all the same, numbers that are not finite. Running out of passes before Tol is reached is no
// error but a Status.
//
// Which model it returns, also when ctx ends, [solvers.Outcome] says.
//
// An epoch takes some Newton steps for each output that is not within its share of the tolerance, and looks at all
// features once. A step costs some ten to hundred passes over the numbers of the working set, or, where that is small,
// the second derivatives over it: O(p²) for each example whose loss bends otherwise than in the last step, p being its
// size. Several outputs are shared among the workers, with the same steps for any number of them;
// certificates differ by rounding.
//
// Memory besides x: a transposed copy, 4 bytes and a number for each number of sparse examples and n d numbers of
// others, or of sparse ones with more than 3 in 10 numbers; for each worker as much again for the working set, and some
// 25 n numbers of float64. [Problem.Memory] has the whole.
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
