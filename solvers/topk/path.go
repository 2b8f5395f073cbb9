package topk

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which Lambdas to train with, and how to compare them.
type PathConfig struct {
	Lambdas []float64 // default: 1/(C n) for C = 1e-3, 1e-2, ..., 1e2
	Folds   int       // of the cross-validation; default: none, and no accuracies
	Tops    int       // accuracies to compute, top-1 to top-Tops; default: Config.K
}

// Point is one Lambda of a path.
type Point[T vec.Float] struct {
	Lambda   float64
	Result   *Result[T] // on all examples
	Accuracy []float64  // [j-1]: top-j, the mean over the folds, each tested on the examples that its training left out
	Spread   []float64  // the standard deviation of that over the folds
}

// Path trains with each Lambda, from the largest to the smallest, each training from the dual variables of the one
// before, the first from p.Start. With folds, it then does so without each of them in turn as well, and tests on it;
// folds are as equal in size and classes as they can be, drawn by c.Seed, and c.Workers of them run at a time. The
// points are in that order of Lambda; [Best] picks one. c.Lambda is not used; Progress tells of the trainings on all
// examples only, and there are no checkpoints.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without accuracies if it ends among the
// folds. Folds need one class for each example, and no precomputed kernel.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	lambdas, fold, c, err := p.grid(ctx, c, &path)
	if err != nil {
		return nil, err
	}
	if p.X != nil {
		p.X = solvers.Sparse(p.X) // once for all trainings
	}
	results, mean, spread, err := p.trial(c, path).Path(ctx, lambdas, p.Start, fold, c.Workers)
	points := make([]Point[T], len(results))
	for l, r := range results {
		points[l] = Point[T]{Lambda: lambdas[l], Result: r}
		if mean != nil {
			points[l].Accuracy, points[l].Spread = mean[l], spread[l]
		}
	}
	return points, err
}

// trial trains with a lambda, and measures accuracies.
func (p Problem[T]) trial(c Config, path PathConfig) solvers.Trial[float64, *Result[T]] {
	return solvers.Trial[float64, *Result[T]]{
		Fit: func(ctx context.Context, lambda float64, start *Result[T], rows []int) (*Result[T], error) {
			part, c := p, c
			if c.Lambda, part.Start = lambda, start; rows == nil {
				return part.Fit(ctx, c)
			}
			c.Workers, c.Progress = 1, nil
			part.Y, part.Weights = ascent.Pick(p.Y, rows), ascent.Pick(p.Weights, rows)
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
			ranked, err := solvers.TopK(r.Model, solvers.Subset(x, rows), path.Tops, 1)
			if err != nil {
				return nil, err
			}
			return metrics.TopKRanked(ranked, ascent.Pick(p.Y, rows), path.Tops)
		},
	}
}

// Best returns the index of the point with the largest top-k accuracy; of equal ones that with the largest Lambda. It
// returns -1 where the points have none.
func Best[T vec.Float](points []Point[T], k int) int {
	best := -1
	for i, p := range points {
		if k >= 1 && k <= len(p.Accuracy) && (best < 0 || p.Accuracy[k-1] > points[best].Accuracy[k-1]) {
			best = i
		}
	}
	return best
}

// grid returns the lambdas, descending, and the folds, and fills in what path and c leave open. What is wrong shows here, before
// anything is trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path *PathConfig) (lambdas []float64, fold []int, _ Config, err error) {
	if ctx == nil {
		return nil, nil, c, fmt.Errorf("topk: no context")
	}
	lambdas = slices.Clone(path.Lambdas)
	if path.Lambdas == nil {
		n := max(1, len(p.Y), len(p.Sets))
		for e := -3; e <= 2; e++ {
			lambdas = append(lambdas, 1/(math.Pow(10, float64(e))*float64(n)))
		}
	}
	slices.Sort(lambdas)
	slices.Reverse(lambdas)
	full := c
	full.Lambda = orDefault(c.Lambda, 1)
	for _, l := range append([]float64{full.Lambda}, lambdas...) {
		full = c
		full.Lambda = l
		if _, full, err = p.prepare(full); err != nil {
			return nil, nil, c, err
		}
	}
	path.Tops = orDefault(path.Tops, full.K)
	switch {
	case path.Tops < 1 || path.Tops > full.Classes:
		return nil, nil, c, fmt.Errorf("topk: top-%d accuracy of %d classes", path.Tops, full.Classes)
	case path.Folds != 0 && p.Sets != nil:
		return nil, nil, c, fmt.Errorf("topk: %d folds with sets of classes, need one class each: sets have no top-k accuracy", path.Folds)
	case path.Folds != 0:
		if _, err = ascent.ToTest(p.X, p.Kernel, path.Folds); err == nil {
			fold, err = solvers.Folds(p.Y, len(p.Y), path.Folds, c.Seed)
		}
		if err != nil {
			return nil, nil, c, fmt.Errorf("topk: %w", err)
		}
	}
	c.Classes, c.Workers, c.Checkpoint = full.Classes, full.Workers, solvers.Checkpoint{}
	return lambdas, fold, c, nil
}
