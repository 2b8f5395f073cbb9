package topk

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
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
// folds. Folds need features and one class for each example.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	lambdas, c, err := p.grid(ctx, c, &path)
	if err != nil {
		return nil, err
	}
	if p.X != nil {
		p.X = solvers.Sparse(p.X) // once for all trainings
	}
	results, err := p.walk(ctx, c, lambdas)
	points := make([]Point[T], len(results))
	for l, r := range results {
		points[l] = Point[T]{Lambda: lambdas[l], Result: r}
	}
	if err != nil || path.Folds == 0 {
		return points, err
	}
	accuracy, err := p.crossValidate(ctx, c, path, lambdas)
	if err != nil {
		return points, err
	}
	for l := range points {
		points[l].Accuracy, points[l].Spread = summary(accuracy, l, path.Tops)
	}
	return points, nil
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

// grid returns the lambdas, descending, and fills in what path and c leave open. What is wrong shows here, before
// anything is trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path *PathConfig) ([]float64, Config, error) {
	if ctx == nil {
		return nil, c, fmt.Errorf("topk: no context")
	}
	lambdas := slices.Clone(path.Lambdas)
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
		var err error
		if _, full, err = p.prepare(full); err != nil {
			return nil, c, err
		}
	}
	path.Tops = orDefault(path.Tops, full.K)
	switch {
	case path.Tops < 1 || path.Tops > full.Classes:
		return nil, c, fmt.Errorf("topk: top-%d accuracy of %d classes", path.Tops, full.Classes)
	case path.Folds != 0 && p.Sets != nil:
		return nil, c, fmt.Errorf("topk: %d folds with sets of classes, need one class each: sets have no top-k accuracy", path.Folds)
	case path.Folds != 0 && p.Kernel != nil:
		return nil, c, fmt.Errorf("topk: %d folds with a kernel, need features: a kernel matrix is of all examples", path.Folds)
	case path.Folds != 0:
		if _, err := solvers.Folds(p.Y, len(p.Y), path.Folds, c.Seed); err != nil {
			return nil, c, fmt.Errorf("topk: %w", err)
		}
	}
	c.Classes, c.Workers, c.Checkpoint = full.Classes, full.Workers, solvers.Checkpoint{}
	return lambdas, c, nil
}

// walk trains with each lambda in turn.
func (p Problem[T]) walk(ctx context.Context, c Config, lambdas []float64) ([]*Result[T], error) {
	return solvers.Walk(ctx, lambdas, p.Start, func(ctx context.Context, lambda float64, start *Result[T]) (*Result[T], error) {
		c.Lambda, p.Start = lambda, start
		return p.Fit(ctx, c)
	})
}

// crossValidate returns the top-j accuracies [fold][lambda][j-1].
func (p Problem[T]) crossValidate(ctx context.Context, c Config, path PathConfig, lambdas []float64) ([][][]float64, error) {
	fold, err := solvers.Folds(p.Y, len(p.Y), path.Folds, c.Seed)
	if err != nil {
		return nil, err
	}
	workers := c.Workers
	c.Workers, c.Progress = 1, nil
	return solvers.CrossValidate(fold, func(rows, test []int) ([][]float64, error) {
		part := Problem[T]{X: solvers.Subset(p.X, rows), Y: pick(p.Y, rows), Names: p.Names, Weights: pick(p.Weights, rows)}
		results, err := part.walk(ctx, c, lambdas)
		if err != nil {
			return nil, err
		}
		accuracy := make([][]float64, len(results))
		for l, r := range results {
			ranked, err := solvers.TopK(r.Model, solvers.Subset(p.X, test), path.Tops, 1)
			if err != nil {
				return nil, err
			}
			if accuracy[l], err = metrics.TopKRanked(ranked, pick(p.Y, test), path.Tops); err != nil {
				return nil, err
			}
		}
		return accuracy, nil
	}, workers)
}

// pick returns the given elements of all, nil for nil.
func pick[E any](all []E, places []int) []E {
	if all == nil {
		return nil
	}
	some := make([]E, len(places))
	for q, i := range places {
		some[q] = all[i]
	}
	return some
}

// summary returns the mean and the standard deviation of the accuracies over the folds.
func summary(accuracy [][][]float64, l, tops int) (mean, spread []float64) {
	mean, spread = make([]float64, tops), make([]float64, tops)
	n := float64(len(accuracy))
	for j := range tops {
		for _, fold := range accuracy {
			mean[j] += fold[l][j] / n
		}
		for _, fold := range accuracy {
			spread[j] += (fold[l][j] - mean[j]) * (fold[l][j] - mean[j]) / n
		}
		spread[j] = math.Sqrt(spread[j])
	}
	return mean, spread
}
