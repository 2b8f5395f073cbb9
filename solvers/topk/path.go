package topk

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which Lambdas to train with, and how to compare them.
type PathConfig struct {
	Lambdas []float64 // default: 1/(C n) for C = 1e-3, 1e-2, ..., 1e2
	Tops    int       // accuracies to measure, top-1 to top-Tops; default: Config.K

	solvers.CrossValidation // Measures: by default these accuracies, in this order
}

// Point is one Lambda of a path.
type Point[T vec.Float] struct {
	Lambda float64
	Result *Result[T] // on all examples

	solvers.Validation // by default Measures[j-1] is the top-j accuracy
}

// Path trains with each Lambda, from the largest to the smallest, each training from the dual variables of the one
// before, the first from p.Start. With folds, it then does so without each of them in turn as well, and tests on it;
// folds are as equal in size and classes as they can be, drawn by c.Seed, and c.Workers of them run at a time. The
// points are in that order of Lambda; [solvers.Best] picks one. c.Lambda is not used; c.Progress tells of the trainings
// on all examples only, and c.Checkpoint keeps what the folds have measured, for path.State.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without measures if it ends among the
// folds. Folds need no precomputed kernel, and Measures where examples have sets of classes, which have no accuracies.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	lambdas, fold, full, err := p.grid(ctx, c, &path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.X != nil {
		p.X = design.Sparse(p.X) // once for all trainings
	}
	t := p.trial(full, path.Tops)
	t.Grid, t.Fold, t.Start, t.Checkpoint = lambdas, fold, p.Start, c.Checkpoint
	reached, err := t.Run(ctx, path.CrossValidation)
	points := make([]Point[T], len(reached))
	for l, r := range reached {
		points[l] = Point[T]{r.At, r.Result, r.Validation}
	}
	return points, err
}

// trial trains with a lambda, and measures accuracies.
func (p Problem[T]) trial(c Config, tops int) crossval.Trial[T, float64, *Result[T]] {
	return crossval.Trial[T, float64, *Result[T]]{
		Fit: func(ctx context.Context, lambda float64, start *Result[T], rows []int) (*Result[T], error) {
			part, c := p, c
			c.Lambda, part.Start = lambda, start
			if rows == nil {
				return part.Fit(ctx, c)
			}
			c.Workers, c.Progress = 1, nil
			part.Y, part.Sets, part.Weights = family.Pick(p.Y, rows), family.Pick(p.Sets, rows),
				family.Pick(p.Weights, rows)
			var err error
			if part.X, part.Kernel, err = family.Part(p.X, p.Kernel, rows); err != nil {
				return nil, err
			}
			return part.Fit(ctx, c)
		},
		Scores: crossval.Scores[T, *Result[T]](p.X, p.Kernel),
		Own:    crossval.Accuracies(tops),
		Measure: func(scores vec.Matrix[T], rows []int) ([]float64, error) {
			return metrics.TopK(scores, family.Pick(p.Y, rows), tops)
		},
		Workers: c.Workers,
		Identity: crossval.Identity(func(lambda float64) (*prepared[T], error) {
			c := c
			c.Lambda = lambda
			return p.prepare(c)
		}),
	}
}

// grid returns the lambdas, descending, and the folds, and fills in what path and c leave open. What is wrong shows
// here, before anything is trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path *PathConfig) (lambdas []float64, fold []int, _ Config,
	err error) {
	var defaults []float64
	for e := -3; e <= 2; e++ {
		defaults = append(defaults, 1/(math.Pow(10, float64(e))*float64(max(1, len(p.Y), len(p.Sets)))))
	}
	full := c
	check := func(lambda float64) error {
		c.Lambda = lambda
		t, err := p.prepare(c)
		if err == nil {
			full = t.c
			full.Workers = t.Options.Workers
		}
		return err
	}
	if lambdas, err = crossval.Grid(ctx, path.Lambdas, defaults, true, check); err != nil {
		return nil, nil, c, err
	}
	if err = check(orDefault(full.Lambda, 1)); err != nil { // where there are no lambdas
		return nil, nil, c, err
	}
	path.Tops = orDefault(path.Tops, full.K)
	switch {
	case path.Tops < 1 || path.Tops > full.Classes:
		return nil, nil, c, fmt.Errorf("top-%d accuracy of %d classes", path.Tops, full.Classes)
	case p.Sets != nil && path.Measures == nil && crossval.On(path.CrossValidation):
		return nil, nil, c, fmt.Errorf("folds with sets of classes, which have no top-k accuracy: need Measures")
	}
	full.Checkpoint = solvers.Checkpoint{}
	fold, err = crossval.Folds(path.CrossValidation, solvers.Strata{Y: p.Y, Sets: p.Sets}, c.Seed, p.Kernel)
	return lambdas, fold, full, err
}
