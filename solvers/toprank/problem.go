package toprank

import (
	"context"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// name is what the family is called in files and errors.
const name = "toprank"

// Problem is what a model is learned from: examples by their features or by a kernel, each positive or negative.
type Problem[T vec.Float] struct {
	X      design.Matrix[T]  // n examples by d features, or
	Kernel *kernel.Matrix[T] // n-by-n, their inner products

	Positive []bool     // of each example, whether it is to be above the threshold; at least one is, and one is not
	Start    *Result[T] // of the same examples, whatever its Config was; default: from 0

	// Groups is the query of each example, any integers, to rank within queries: see the package. Those without a
	// positive or without a negative example have no part in the problem; one has both at least. Default: all are one
	// query.
	Groups []int

	visits bool // for tests: train within queries as if there were many examples
}

// Result is what Fit returns: a model, how its training ended, and the dual variables that prove it. Keep only Model
// to let the rest go.
type Result[T vec.Float] struct {
	*Model[T]
	solvers.Outcome

	// Alpha and Beta are the dual variables of each of the n examples: alpha is 0 for the negative ones, and so is
	// beta for the positive ones unless Config.All is set. Their sums are equal up to rounding.
	Alpha, Beta []float64

	// Queries is the number of Groups that have positive and negative examples. The Idle others have no part in the
	// problem: their dual variables are 0. Both are 0 without Groups.
	Queries, Idle int
}

// Fit trains a model of the n examples of x, those with positive[i] above the others: the short form of Problem.Fit.
func Fit[T vec.Float](ctx context.Context, x design.Matrix[T], positive []bool, c Config) (*Result[T], error) {
	return Problem[T]{X: x, Positive: positive}.Fit(ctx, c)
}

// Fit trains a model. It returns an error that names the value and its place where p and c make no problem to solve:
// no positive example or no negative one, K above the number of negative examples, numbers that are not finite.
// Running out of passes before Tol is reached is no error but a Status; a pair step visits two examples.
//
// Which model it returns, also when ctx ends, [solvers.Outcome] says.
//
// With features, at most as many as examples and at most 2048, training is an interior point method: 6 to 50 epochs
// of O(n d²), whatever the storage, and memory of some 20 n + 16 d² float64 numbers. From 16384 examples and 32 d on
// it has levels as on a kernel: n is the number of active examples then, and each level begins afresh. Of Start it
// takes the certificate alone: where that is not good enough it begins afresh. With more features training is as with
// kernel.Linear under a budget of 1 GB, and the model is linear all the same.
//
// With a kernel an epoch is as many pair steps as there are active examples, 500 at least, each of O(active). Active
// are all examples, or, from 4096 examples of a kernel that is not precomputed on, the support vectors and the examples
// that the model has a loss on, in levels of some thousand examples, four times as many, and so on up to all. The rows
// of K of active examples, as many numbers each, are kept under the budget of Kernel: where it has no room for all of
// them, training is slow. A certificate evaluates the kernel once, in float64, for each pair of examples of which one
// is a support vector. Where pair steps take long, as they do where K is ill-conditioned, and there are at most 4000
// active examples, the interior point method takes over: it holds K twice in float64.
//
// With Groups a query with fewer than Config.K negative examples takes the mean of all of them for its threshold. Few
// features are trained on as above, in as many epochs of O(n d²). So are up to 4000 examples on a kernel or of more
// features, by a decomposition of K, which is held twice in float64: O(n³) an epoch. For more, an epoch visits the
// queries that have a share in the gap, in random order, and takes steps of their dual variables by rows of K among
// the examples of the query, of which up to 1 GB is kept, until nine tenths of its gap are gone; then it computes all
// scores. That is quick where K is well-conditioned, as for sparse examples of many features, and may stall where it
// is not.
//
// In float32 a kernel's own rounding may keep the gap of TopPush above 1e-5: use float64 for less.
func (p Problem[T]) Fit(ctx context.Context, c Config) (*Result[T], error) {
	return family.Fit(ctx, name, p.prepare, c, c.options())
}

// Resume continues the training of p and c whose state Config.Checkpoint saved: see [solvers.Checkpoint].
func (p Problem[T]) Resume(ctx context.Context, state io.Reader, c Config) (*Result[T], error) {
	return family.Resume(ctx, name, state, p.prepare, c, c.options())
}
