package toprank

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which weights of the losses to train with, and how to compare them.
type PathConfig struct {
	Cs     []float64 // default: 1e-2, 1e-1, ..., 1e2
	Folds  int       // of the cross-validation; default: none, and no precisions
	Recall float64   // that the precision is measured at, above 0 and at most 1; default: .2
}

// Point is one C of a path.
type Point[T vec.Float] struct {
	C         float64
	Result    *Result[T] // on all examples
	Precision float64    // at the recall, on the examples left out: the mean over the folds
	Spread    float64    // the standard deviation of that over the folds
}

// Path trains with each C, from the smallest to the largest, each training from the dual variables of the one before,
// the first from p.Start. With folds, it then does so without each of them in turn as well, and tests on it; positive
// and negative examples are spread evenly over the folds, drawn by c.Seed, and c.Workers of them run at a time. The
// points are in that order of C; [Best] picks one. c.C is not used; Progress tells of the trainings on all examples
// only, and there are no checkpoints.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without precisions if it ends among the
// folds. Folds need no precomputed kernel, and a positive example in each of them.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	if path.Recall == 0 {
		path.Recall = 0.2
	}
	cs, fold, err := p.grid(ctx, c, path)
	if err != nil {
		return nil, fmt.Errorf("toprank: %w", err)
	}
	c.Checkpoint = solvers.Checkpoint{}
	results, mean, spread, err := p.trial(c, path).Path(ctx, cs, p.Start, fold, c.Workers)
	points := make([]Point[T], len(results))
	for q, r := range results {
		points[q] = Point[T]{C: cs[q], Result: r}
		if mean != nil {
			points[q].Precision, points[q].Spread = mean[q][0], spread[q][0]
		}
	}
	return points, err
}

// Best returns the index of the point with the largest precision; of equal ones that with the smallest C. It returns -1
// where there are no points. Points of a path without folds have no precision: the first is the best then.
func Best[T vec.Float](points []Point[T]) int {
	best := -1
	for q, p := range points {
		if best < 0 || p.Precision > points[best].Precision {
			best = q
		}
	}
	return best
}

// trial trains with a C, and measures the precision.
func (p Problem[T]) trial(c Config, path PathConfig) solvers.Trial[float64, *Result[T]] {
	return solvers.Trial[float64, *Result[T]]{
		Fit: func(ctx context.Context, weight float64, start *Result[T], rows []int) (*Result[T], error) {
			part, c := p, c
			if c.C, part.Start = weight, start; rows == nil {
				return part.Fit(ctx, c)
			}
			c.Workers, c.Progress, part.Positive = 1, nil, ascent.Pick(p.Positive, rows)
			var err error
			if part.X, part.Kernel, err = ascent.Part(p.X, p.Kernel, rows); err != nil {
				return nil, err
			}
			return part.Fit(ctx, c)
		},
		Test: func(r *Result[T], rows []int) ([]float64, error) {
			x, err := ascent.ToTest(p.X, p.Kernel, path.Folds)
			if err != nil {
				return nil, err
			}
			scores := vec.NewMatrix[T](len(rows), 1)
			if err := r.ScoresWorkers(scores, x, rows, 1); err != nil {
				return nil, err
			}
			precision, _, err := metrics.PrecisionAtRecall(scores.Data, ascent.Pick(p.Positive, rows), path.Recall)
			return []float64{precision}, err
		},
	}
}

// grid returns the Cs, ascending, and the folds. What is wrong with either shows here, before anything is trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path PathConfig) (cs []float64, fold []int, err error) {
	if ctx == nil {
		return nil, nil, fmt.Errorf("no context")
	}
	if cs = slices.Clone(path.Cs); path.Cs == nil {
		cs = []float64{1e-2, 1e-1, 1, 10, 100}
	}
	slices.Sort(cs)
	for _, weight := range cs {
		if c.C = weight; weight == 0 {
			return nil, nil, fmt.Errorf("C = 0, need a positive number")
		}
		if _, err := c.withDefaults(); err != nil {
			return nil, nil, err
		}
	}
	if !(path.Recall > 0 && path.Recall <= 1) {
		return nil, nil, fmt.Errorf("Recall = %v, need a number above 0 and at most 1", path.Recall)
	}
	if path.Folds == 0 {
		return cs, nil, nil
	}
	if _, err := ascent.ToTest(p.X, p.Kernel, path.Folds); err != nil {
		return nil, nil, err
	}
	positives := count(p.Positive)
	if positives < path.Folds {
		return nil, nil, fmt.Errorf("Folds = %d, but %d positive examples: need one in each", path.Folds, positives)
	}
	fold, err = solvers.Strata{Y: classes(p.Positive)}.Folds(path.Folds, c.Seed)
	return cs, fold, err
}
