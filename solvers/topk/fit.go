package topk

import (
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Result is what Fit returns: a model, what is known of it, and the dual variables that prove it. Keep only Model to let
// the rest go.
type Result[T vec.Float] struct {
	*Model[T]

	Status      solvers.Status
	Certificate solvers.Certificate // of this Model and these Duals, in float64
	Epochs      int
	Visits      int // of examples, in all epochs: Visits/n passes over the data is what they amount to

	// Duals is A, n-by-m, Theorem 1: with x_ic >= 0 for the classes c other than y_i, entry (i, c) is -x_ic and entry
	// (i, y_i) is sum_c x_ic up to the rounding of each to T; certificates take the sum itself. W is sum_i x_i a_iᵀ, rounded to T,
	// and each row of A is in the domain of the conjugate of the loss: see package loss.
	Duals vec.Matrix[T]
}

// Fit trains a model on the n examples of x and their classes y, which are numbers in 0..m-1. It returns an error that
// names the value and its place where x, y and c make no problem to solve: labels out of range or all the same, numbers
// that are not finite, K >= m, Lambda <= 0. Running out of epochs before Tol is reached is no error but a Status.
//
// When ctx ends Fit returns the model so far, its true certificate, and ctx.Err().
//
// An epoch that visits all examples costs O(n d m), or O(nnz m) for sparse examples, and so does a certificate, in float64.
// Memory: n m + 3 d m numbers besides x, 4 d m for 48 classes and more of dense examples, d m more for each worker after the first,
// and a sparse copy of x where less than two fifths of its numbers are not 0.
func Fit[T vec.Float](ctx context.Context, x solvers.Features[T], y []int, c Config) (*Result[T], error) {
	return fit(ctx, x, labels{one: y}, c, nil)
}

// FitSets is Fit for examples with any number of true classes each, and the losses MultilabelHinge, which is the default here, and
// MultilabelSoftmax. An example without any adds nothing to the objective.
func FitSets[T vec.Float](ctx context.Context, x solvers.Features[T], y [][]int, c Config) (*Result[T], error) {
	if c.Loss == Alpha {
		c.Loss = MultilabelHinge
	}
	if !c.Loss.sets() {
		return nil, fmt.Errorf("topk: the loss %v for sets of classes, need MultilabelHinge or MultilabelSoftmax", c.Loss)
	}
	sets, err := sortedSets(y)
	if err != nil {
		return nil, err
	}
	return fit(ctx, x, sets, c, nil)
}

// FitFrom is Fit from dual variables of the same examples, those of an earlier Result, with whatever Lambda, weights or
// loss it had: they are scaled to be as good as they can. The nearer that problem, the fewer epochs this one takes.
func FitFrom[T vec.Float](ctx context.Context, x solvers.Features[T], y []int, c Config, duals vec.Matrix[T]) (*Result[T], error) {
	return fit(ctx, x, labels{one: y}, c, &duals)
}

func fit[T vec.Float](ctx context.Context, x solvers.Features[T], y labels, c Config, duals *vec.Matrix[T]) (*Result[T], error) {
	start := time.Now()
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	n, raw := x.Dims()
	m, err := y.classes(n, c)
	if err != nil {
		return nil, err
	}
	bias := T(c.Bias)
	if bias != 0 {
		x = solvers.WithBias(x, bias)
	}
	_, d := x.Dims()
	if err := checkSizes(n, d, m); err != nil {
		return nil, err
	}
	s, err := newSolver(x, &y, m, c)
	if err != nil {
		return nil, err
	}
	if duals != nil {
		if err := s.warm(*duals); err != nil {
			return nil, err
		}
	}
	status := solvers.Converged
	if !s.started || s.certificate.RelativeGap() > c.Tol {
		status, err = run[T](ctx, s, c, start)
	}
	if status == solvers.Running {
		return nil, err
	}
	return &Result[T]{
		Model:       &Model[T]{w: s.weights(), d: raw, bias: bias},
		Status:      status,
		Certificate: s.certificate,
		Epochs:      s.epochs,
		Visits:      s.visits,
		Duals:       s.a,
	}, err
}
