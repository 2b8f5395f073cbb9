package toprank

import (
	"context"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Problem is what a model is learned from: examples by their features or by a kernel, each positive or negative.
type Problem[T vec.Float] struct {
	X      solvers.Features[T] // n examples by d features, or
	Kernel *kernel.Matrix[T]   // n-by-n, their inner products

	Positive []bool     // of each example, whether it is to be above the threshold; at least one is, and one is not
	Start    *Result[T] // of the same examples, whatever its Config was; default: from 0
}

// Result is what Fit returns: a model, how its training ended, and the dual variables that prove it. Keep only Model to
// let the rest go.
type Result[T vec.Float] struct {
	*Model[T]
	solvers.Outcome

	// Alpha and Beta are the dual variables of each of the n examples: alpha is 0 for the negative ones, and so is beta for
	// the positive ones unless Config.All is set. Their sums are equal up to rounding.
	Alpha, Beta []float64
}

// Fit trains a model of the n examples of x, those with positive[i] above the others: the short form of Problem.Fit.
func Fit[T vec.Float](ctx context.Context, x solvers.Features[T], positive []bool, c Config) (*Result[T], error) {
	return Problem[T]{X: x, Positive: positive}.Fit(ctx, c)
}

// Fit trains a model.
func (p Problem[T]) Fit(ctx context.Context, c Config) (*Result[T], error) {
	return p.train(ctx, c, nil)
}

// Resume goes on with the training whose state Config.Checkpoint saved: the result has the same bits as that of a
// training that never stopped, on a CPU with the same instructions. It returns an error where the state is damaged, or
// was saved with other data or another configuration; only Epochs, Progress and Checkpoint may differ.
func (p Problem[T]) Resume(ctx context.Context, state io.Reader, c Config) (*Result[T], error) {
	if state == nil {
		return nil, fmt.Errorf("toprank: no state to resume from")
	}
	return p.train(ctx, c, state)
}
