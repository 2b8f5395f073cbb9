package mkl

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which P and C to train with, and how to compare them.
type PathConfig struct {
	Ps    []float64 // default: that of the Config
	Cs    []float64 // default: 1, 10, 100, 1000
	Folds int       // of the cross-validation; default: none, and no accuracies
}

// Point is one P and C of a path.
type Point[T vec.Float] struct {
	P, C     float64
	Result   *Result[T] // on all examples
	Accuracy float64    // part of the examples whose class has the largest score, the mean over the folds, each tested on the examples that its training left out
	Spread   float64    // the standard deviation of that over the folds
}

// Path trains with each P, from the largest to the smallest, and for each of them with each C, from the smallest to the
// largest, each training from the dual variables and the weights of the one before, the first from p.Start. With folds,
// it then does so without each of them in turn as well, and tests on it; folds are as equal in size and classes as they
// can be, drawn by c.Seed, and c.Workers of them run at a time. The points are in that order; [Best] picks one. c.C is
// not used; Progress tells of the trainings on all examples only, and there are no checkpoints.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without accuracies if it ends among the
// folds.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	points, fold, c, err := p.grid(ctx, c, path)
	if err != nil {
		return nil, fmt.Errorf("mkl: %w", err)
	}
	results, mean, spread, err := p.trial(c).Path(ctx, points, p.Start, fold, c.Workers)
	points = points[:len(results)]
	for q, r := range results {
		points[q].Result = r
		if mean != nil {
			points[q].Accuracy, points[q].Spread = mean[q][0], spread[q][0]
		}
	}
	return points, err
}

// Best returns the index of the point with the largest accuracy; of equal ones the first. It returns -1 where there are
// no points.
func Best[T vec.Float](points []Point[T]) int {
	best := -1
	for q, p := range points {
		if best < 0 || p.Accuracy > points[best].Accuracy {
			best = q
		}
	}
	return best
}

// trial trains at a point, and measures accuracy.
func (p Problem[T]) trial(c Config) solvers.Trial[Point[T], *Result[T]] {
	return solvers.Trial[Point[T], *Result[T]]{
		Fit: func(ctx context.Context, at Point[T], start *Result[T], rows []int) (*Result[T], error) {
			part, c := p, c
			c.P, c.C, part.Start = at.P, at.C, start
			if rows != nil {
				c.Workers, c.Progress = 1, nil
				part.Bundle, part.Y, part.Weights = p.Bundle.Compact(rows), ascent.Pick(p.Y, rows), ascent.Pick(p.Weights, rows)
			}
			return part.Fit(ctx, c)
		},
		Test: func(r *Result[T], rows []int) ([]float64, error) {
			test := make([]bool, p.Bundle.Len())
			for _, i := range rows {
				test[i] = true
			}
			var of []int // the examples that r was trained on
			for i, t := range test {
				if !t {
					of = append(of, i)
				}
			}
			scores, right := vec.NewMatrix[T](len(rows), c.Classes), 0.0
			r.Kernels.ScoresOf(scores, p.Bundle, rows, of, 1)
			for q, i := range rows {
				if vec.ArgMax(scores.Row(q)) == p.Y[i] {
					right++
				}
			}
			return []float64{right / float64(len(rows))}, nil
		},
	}
}

// grid returns the points without results, the folds, and c with what it leaves open. What is wrong shows here, before
// anything is trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path PathConfig) (points []Point[T], fold []int, _ Config, err error) {
	if ctx == nil {
		return nil, nil, c, fmt.Errorf("no context")
	}
	norms, costs := slices.Clone(path.Ps), slices.Clone(path.Cs)
	if path.Ps == nil {
		norms = []float64{c.P}
	}
	if path.Cs == nil {
		costs = []float64{1, 10, 100, 1000}
	}
	slices.Sort(norms)
	slices.Reverse(norms)
	slices.Sort(costs)
	full := c
	for _, norm := range norms {
		for _, cost := range costs {
			if norm == 0 && path.Ps != nil || cost == 0 {
				return nil, nil, c, fmt.Errorf("P = %v and C = %v, need a P above 1 and a C above 0", norm, cost)
			}
			full = c
			full.P, full.C = norm, cost
			if _, full, err = p.prepare(full); err != nil {
				return nil, nil, c, err
			}
			points = append(points, Point[T]{P: full.P, C: cost})
		}
	}
	if len(points) == 0 {
		return nil, nil, c, fmt.Errorf("%d values of P and %d of C, need one of each at least", len(norms), len(costs))
	}
	if path.Folds != 0 {
		fold, err = solvers.Folds(p.Y, len(p.Y), path.Folds, c.Seed)
	}
	c.Classes, c.Workers, c.Checkpoint = full.Classes, full.Workers, solvers.Checkpoint{}
	return points, fold, c, err
}
