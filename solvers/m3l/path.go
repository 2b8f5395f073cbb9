package m3l

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which costs to train with, and how to compare them.
type PathConfig struct {
	Cs []float64 // default: 1e-3, 1e-2, ..., 1e2

	// Measures: by default the Hamming loss, the part of the decisions about labels that are wrong; of Y then the
	// accuracy, the part of the examples whose class has the largest score.
	solvers.CrossValidation
}

// Point is one C of a path.
type Point[T vec.Float] struct {
	C      float64
	Result *Result[T] // on all examples

	solvers.Validation
}

// Path trains with each C, from the smallest to the largest, each training from the dual variables of the one before,
// the first from p.Start. With folds, it then does so without each of them in turn as well, and tests on it; labels are
// spread evenly over the folds, drawn by c.Seed, and c.Workers of them run at a time. The points are in that order of
// C; [solvers.Best] picks one. c.C is not used; c.Progress tells of the trainings on all examples only, and
// c.Checkpoint keeps what the folds have measured, for path.State.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without measures if it ends among the
// folds. Folds need no precomputed kernel.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	costs, fold, full, err := p.grid(ctx, c, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.X != nil {
		p.X = design.Sparse(p.X) // once for all trainings
	}
	t := p.trial(full)
	t.Grid, t.Fold, t.Start, t.Checkpoint = costs, fold, p.Start, c.Checkpoint
	reached, err := t.Run(ctx, path.CrossValidation)
	points := make([]Point[T], len(reached))
	for q, r := range reached {
		points[q] = Point[T]{r.At, r.Result, r.Validation}
	}
	return points, err
}

// trial trains with a C, and measures the Hamming loss.
func (p Problem[T]) trial(c Config) crossval.Trial[T, float64, *Result[T]] {
	t := crossval.Trial[T, float64, *Result[T]]{
		Fit: func(ctx context.Context, cost float64, start *Result[T], rows []int) (*Result[T], error) {
			part, c := p, c
			c.C, part.Start = cost, start
			if rows == nil {
				return part.Fit(ctx, c)
			}
			c.Workers, c.Progress = 1, nil
			part.Y, part.Sets, part.Weights = family.Pick(p.Y, rows), family.Pick(p.Sets, rows),
				family.Pick(p.Weights, rows)
			if p.Margins != nil {
				part.Margins = func(i int, plus, minus []float64) { p.Margins(rows[i], plus, minus) }
			}
			var err error
			if part.X, part.Kernel, err = family.Part(p.X, p.Kernel, rows); err != nil {
				return nil, err
			}
			return part.Fit(ctx, c)
		},
		Scores:  crossval.Scores[T, *Result[T]](p.X, p.Kernel),
		Own:     []solvers.Measure{{Name: "Hamming loss", Smaller: true}},
		Measure: func(scores vec.Matrix[T], rows []int) ([]float64, error) { return p.measure(scores, rows, c.Labels) },
		Workers: c.Workers,
		Identity: crossval.Identity(func(cost float64) (*prepared[T], error) {
			c := c
			c.C = cost
			return p.prepare(c)
		}),
	}
	if p.Y != nil {
		t.Own = append(t.Own, crossval.Accuracies(1)...)
	}
	return t
}

// measure returns the Hamming loss on the examples rows, and of Y the accuracy.
func (p Problem[T]) measure(scores vec.Matrix[T], rows []int, labels int) ([]float64, error) {
	truth, y := family.Pick(p.Sets, rows), family.Pick(p.Y, rows)
	for i := range y {
		truth = append(truth, y[i:i+1])
	}
	predicted := make([][]int, len(rows))
	for i := range predicted {
		for l, v := range scores.Row(i) {
			if v > 0 {
				predicted[i] = append(predicted[i], l)
			}
		}
	}
	loss, err := metrics.HammingLoss(predicted, truth, labels)
	if y == nil || err != nil {
		return []float64{loss}, err
	}
	accuracy, err := metrics.TopK(scores, y, 1)
	return append([]float64{loss}, accuracy...), err
}

// grid returns the costs, ascending, the folds, and c with what it leaves open. What is wrong shows here, before
// anything is trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path PathConfig) (costs []float64, fold []int, _ Config,
	err error) {
	full := c
	check := func(cost float64) error {
		if cost == 0 {
			return fmt.Errorf("C = 0, need a positive number")
		}
		c.C = cost
		t, err := p.prepare(c)
		if err == nil {
			full.Labels, full.Workers = t.c.Labels, t.Options.Workers
		}
		return err
	}
	if costs, err = crossval.Grid(ctx, path.Cs, []float64{1e-3, 1e-2, 1e-1, 1, 10, 100}, false, check); err != nil {
		return nil, nil, c, err
	}
	if err = check(1); err != nil { // where there are no costs
		return nil, nil, c, err
	}
	fold, err = crossval.Folds(path.CrossValidation, solvers.Strata{Y: p.Y, Sets: p.Sets}, c.Seed, p.Kernel)
	full.Checkpoint = solvers.Checkpoint{}
	return costs, fold, full, err
}
