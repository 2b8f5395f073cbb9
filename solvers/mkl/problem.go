package mkl

import (
	"context"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// name is what the family is called in files and errors.
const name = "mkl"

// Problem is what a model is learned from: examples by many kernels, with a class each.
type Problem[T vec.Float] struct {
	Bundle *bundle.Bundle[T] // the F kernels of n examples
	Y      []int             // the class of each example, in 0..m-1

	Names   []string   // of the m classes; default: none
	Weights []float64  // of the losses of the examples, >= 0; default: 1 each
	Start   *Result[T] // of the same examples and kernels, whatever P, C or weights it had; default: from 0
}

// Result is what Fit returns: a model, how its training ended, and the dual variables that prove it. Keep only Model to
// let the rest go.
type Result[T vec.Float] struct {
	*model.Model[T]
	solvers.Outcome

	Eta    []float64 // the weight of each kernel in the model's sum: eta_j >= 0, up to a factor that they share
	Norms  []float64 // |w^j|_2 of each kernel
	Shares []float64 // |w^j|_2 over the sum of all: how large a part each kernel has; 0 each where all are 0

	// An epoch of the Outcome is a support vector machine, trained from where the last one ended. Steps is how often
	// the weights moved between them, and Rounds the number of epochs of all these machines together.
	Steps, Rounds int

	// Duals is A, n-by-m: of an example of class y the row is a_y >= 0 and a_c <= 0 for the other classes, sum 0, up to
	// rounding, with a_y at most C times the weight of the example.
	Duals vec.Matrix[T]
}

// Fit trains a model of the classes y of the n examples of b: the short form of Problem.Fit.
func Fit[T vec.Float](ctx context.Context, b *bundle.Bundle[T], y []int, c Config) (*Result[T], error) {
	return Problem[T]{Bundle: b, Y: y}.Fit(ctx, c)
}

// Fit trains a model. It returns an error that names the value and its place where p and c make no problem to solve:
// labels out of range, all the same, weights that are negative or all 0. Running out of passes before Tol is reached is
// no error but a Status.
//
// Which model it returns, also when ctx ends, [solvers.Outcome] says.
//
// A step of the weights evaluates all kernels twice for each pair of active examples, and an epoch between costs
// O(active² m). Memory: K of the active examples, as many squared, and what the Bundle keeps. Active are all examples,
// or, from 4096 on, the support vectors and the examples that the model has a loss on, in levels of some thousand
// examples, four times as many, and so on up to all; K has room for an eighth more examples, which come in late. A
// certificate evaluates each kernel in float64 once for every pair of an example and a support vector.
func (p Problem[T]) Fit(ctx context.Context, c Config) (*Result[T], error) {
	return family.Fit(ctx, name, p.prepare, c, c.options())
}

// Resume continues the training of p and c whose state Config.Checkpoint saved: see [solvers.Checkpoint].
func (p Problem[T]) Resume(ctx context.Context, state io.Reader, c Config) (*Result[T], error) {
	return family.Resume(ctx, name, state, p.prepare, c, c.options())
}
