package svm

import (
	"context"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// name is what the family is called in files and errors.
const name = "svm"

// Problem is what a model is learned from: examples by their features or by a kernel, with one of two classes each, or
// with a number each, or without either, all of one class. What a combination lacks is an error that says so.
type Problem[T vec.Float] struct {
	X      design.Matrix[T]  // n examples by d features, or
	Kernel *kernel.Matrix[T] // n-by-n, their inner products: the model is then sum_i a_i k(x_i, x)

	Y        []int     // the class of each example, 0 or 1: a score above 0 says that it is 1; or
	Targets  []float64 // the number that the score is to be; or
	OneClass bool      // that there are neither: a score of at least 0 says that an example is like these

	Names   []string   // of the classes 0 and 1; default: none
	Weights []float64  // of the losses of the examples, >= 0; default: 1 each
	Start   *Result[T] // of the same examples, whatever C, Epsilon, Nu or weights it had; default: from 0
}

// Result is what Fit returns: a model, how its training ended, and the dual variables that prove it. Keep only Model to
// let the rest go.
type Result[T vec.Float] struct {
	*Model[T]
	solvers.Outcome

	// Duals is a, n-by-1. With Hinge and Logistic a_i is in [0, C] for class 1 and in [-C, 0] for class 0, with
	// Insensitive in [-C, C], up to rounding; with the squares the signs are the same, and there is no bound. Of one
	// class a_i is in [0, 1]. With weights C, or 1, is multiplied by these. With Offset they add up to 0, of one class
	// to Nu times the sum of the weights, up to rounding to T.
	Duals vec.Matrix[T]
}

// Fit trains a model that tells the classes y, 0 and 1, of the n examples of x: the short form of Problem.Fit.
func Fit[T vec.Float](ctx context.Context, x design.Matrix[T], y []int, c Config) (*Result[T], error) {
	return Problem[T]{X: x, Y: y}.Fit(ctx, c)
}

// Regress trains a model that predicts the targets of the n examples of x: the short form of Problem.Fit.
func Regress[T vec.Float](ctx context.Context, x design.Matrix[T], targets []float64, c Config) (*Result[T], error) {
	return Problem[T]{X: x, Targets: targets}.Fit(ctx, c)
}

// OneClass trains a model that tells the n examples of x, but for a part Nu, from anything else: the short form of
// Problem.Fit.
func OneClass[T vec.Float](ctx context.Context, x design.Matrix[T], c Config) (*Result[T], error) {
	return Problem[T]{X: x, OneClass: true}.Fit(ctx, c)
}

// Fit trains a model. It returns an error that names the value and its place where p and c make no problem to solve:
// classes other than 0 and 1, numbers that are not finite, a loss of classes with targets. Examples that are all of one
// class, or have the same target, are no errors; targets that are all below 1e-155 or so are one with squared losses.
// Running out of passes before Tol is reached is no error but a Status.
//
// Which model it returns, also when ctx ends, [solvers.Outcome] says.
//
// With features an epoch that visits all examples costs O(n d), or O(nonzeros) for sparse examples, and so does a
// certificate, in float64. With a kernel an epoch costs rows of K, and O(n) for each of them. See topk.Problem.Fit for
// memory, active examples and Workers, which are the same.
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
// It is at most a quarter more than what is alive at a time. By ascent it is topk.Problem.Memory's with m = 1, and 80
// bytes more for each example, with an offset 120 besides, and a copy of sparse examples where some of their columns
// are far from 0; by Newton's method s d² + 12 n numbers of float64, where the second derivatives are summed in s
// parts, 16 at most; of one class on features 10 n + 3 d, and up to 2^22 for a copy.
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	return family.Memory(name, p.prepare, c, c.options())
}

// task is what a Problem asks for.
type task int

const (
	classification task = iota
	regression
	oneClass
)

// task returns what p asks for, or why that cannot be told.
func (p Problem[T]) task() (task, error) {
	switch {
	case p.OneClass && (p.Y != nil || p.Targets != nil):
		return 0, fmt.Errorf("OneClass and Y or Targets, want one of them")
	case p.Y != nil && p.Targets != nil:
		return 0, fmt.Errorf("Y and Targets, want one of them")
	case p.OneClass:
		return oneClass, nil
	case p.Targets != nil:
		return regression, nil
	case p.Y != nil:
		return classification, nil
	}
	return 0, fmt.Errorf("no labels: want Y or Targets, or OneClass")
}
