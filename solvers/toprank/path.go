package toprank

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which weights of the losses to train with, and how to compare them.
type PathConfig struct {
	Cs     []float64 // default: 1e-2, 1e-1, ..., 1e2
	Recall float64   // that the precision is measured at, above 0 and at most 1; default: .2

	// Measures: by default the precision at that recall; where the problem has Groups, the mean average precision by
	// query, without a Recall. Groups: by default the problem's.
	solvers.CrossValidation
}

// Point is one C of a path.
type Point[T vec.Float] struct {
	C      float64
	Result *Result[T] // on all examples

	solvers.Validation
}

// Path trains with each C, from the smallest to the largest, each training from the dual variables of the one before,
// the first from p.Start. With folds, it then does so without each of them in turn as well, and tests on it; positive
// and negative examples are spread evenly over the folds, drawn by c.Seed, queries stay together, and c.Workers of
// them run at a time. The points are in that order of C; [solvers.Best] picks one. c.C is not used; c.Progress tells
// of the trainings on all examples only, and c.Checkpoint keeps what the folds have measured, for path.State.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without measures if it ends among the
// folds. Folds need no precomputed kernel, and a positive example in each of them.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	switch {
	case p.Groups != nil && path.Recall != 0:
		return nil, fmt.Errorf("toprank: Recall = %v with Groups, which are measured by query", path.Recall)
	case path.Recall == 0:
		path.Recall = 0.2
	}
	if path.Groups == nil && path.Folds != 0 {
		path.Groups = p.Groups
	}
	cs, fold, err := p.grid(ctx, c, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := p.trial(c, path.Recall)
	t.Grid, t.Fold, t.Start, t.Checkpoint = cs, fold, p.Start, c.Checkpoint
	reached, err := t.Run(ctx, path.CrossValidation)
	points := make([]Point[T], len(reached))
	for q, r := range reached {
		points[q] = Point[T]{r.At, r.Result, r.Validation}
	}
	return points, err
}

// trial trains with a C, and measures the precision.
func (p Problem[T]) trial(c Config, recall float64) crossval.Trial[T, float64, *Result[T]] {
	c.Checkpoint = solvers.Checkpoint{}
	name, measure := fmt.Sprintf("precision at recall %v", recall), func(scores []T, rows []int) (float64, error) {
		precision, _, err := metrics.PrecisionAtRecall(scores, family.Pick(p.Positive, rows), recall)
		return precision, err
	}
	if p.Groups != nil {
		name, measure = "mean average precision by query", func(scores []T, rows []int) (float64, error) {
			return metrics.MeanAveragePrecision(scores, family.Pick(p.Positive, rows), family.Pick(p.Groups, rows))
		}
	}
	return crossval.Trial[T, float64, *Result[T]]{
		Fit: func(ctx context.Context, weight float64, start *Result[T], rows []int) (*Result[T], error) {
			part, c := p, c
			c.C, part.Start = weight, start
			if rows == nil {
				return part.Fit(ctx, c)
			}
			c.Workers, c.Progress = 1, nil
			part.Positive, part.Groups = family.Pick(p.Positive, rows), family.Pick(p.Groups, rows)
			var err error
			if part.X, part.Kernel, err = family.Part(p.X, p.Kernel, rows); err != nil {
				return nil, err
			}
			return part.Fit(ctx, c)
		},
		Scores: crossval.Scores[T, *Result[T]](p.X, p.Kernel),
		Own:    []solvers.Measure{{Name: name}},
		Measure: func(scores vec.Matrix[T], rows []int) ([]float64, error) {
			value, err := measure(scores.Data, rows)
			return []float64{value}, err
		},
		Workers: c.Workers,
		Identity: crossval.Identity(func(weight float64) (*prepared[T], error) {
			c := c
			c.C = weight
			return p.prepare(c)
		}),
	}
}

// grid returns the Cs, ascending, and the folds. What is wrong with either shows here, before anything is trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path PathConfig) (cs []float64, fold []int, err error) {
	cs, err = crossval.Grid(ctx, path.Cs, []float64{1e-2, 1e-1, 1, 10, 100}, false, func(weight float64) error {
		if weight == 0 {
			return fmt.Errorf("C = 0, need a positive number")
		}
		c.C = weight
		if _, err := c.check(); err != nil {
			return err
		}
		_, err := c.options().WithDefaults()
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if !(path.Recall > 0 && path.Recall <= 1) {
		return nil, nil, fmt.Errorf("Recall = %v, need a number above 0 and at most 1", path.Recall)
	}
	if positives := count(p.Positive); positives < path.Folds {
		return nil, nil, fmt.Errorf("Folds = %d, but %d positive examples: need one in each", path.Folds, positives)
	}
	if fold, err = crossval.Folds(path.CrossValidation, solvers.Strata{Y: classes(p.Positive)}, c.Seed,
		p.Kernel); fold == nil || err != nil {
		return cs, nil, err
	}
	positives := make([]int, slices.Max(fold)+1)
	for i, f := range fold {
		if p.Positive[i] {
			positives[f]++
		}
	}
	if f := slices.Index(positives, 0); f >= 0 {
		return nil, nil, fmt.Errorf("no positive example in part %d of %d, need one in each: fewer parts, or others", f,
			len(positives))
	}
	return cs, fold, nil
}
