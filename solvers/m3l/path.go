package m3l

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which costs to train with, and how to compare them.
type PathConfig struct {
	Cs    []float64 // default: 1e-3, 1e-2, ..., 1e2
	Folds int       // of the cross-validation; default: none, and no losses
}

// Point is one C of a path.
type Point[T vec.Float] struct {
	C       float64
	Result  *Result[T] // on all examples
	Hamming float64    // part of the decisions about labels that are wrong, the mean over the folds, each tested on the examples that its training left out
	Spread  float64    // the standard deviation of that over the folds

	// Of Y the part of the examples whose class has the largest score, and its standard deviation, likewise; of Sets 0.
	Accuracy, AccuracySpread float64
}

// Path trains with each C, from the smallest to the largest, each training from the dual variables of the one before, the
// first from p.Start. With folds, it then does so without each of them in turn as well, and tests on it; labels are spread
// evenly over the folds, drawn by c.Seed, and c.Workers of them run at a time. The points are in that order of C; [Best]
// picks one. c.C is not used; Progress tells of the trainings on all examples only, and there are no checkpoints.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without losses if it ends among the folds.
// Folds need no precomputed kernel.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	costs, fold, c, err := p.grid(ctx, c, path)
	if err != nil {
		return nil, fmt.Errorf("m3l: %w", err)
	}
	if p.X != nil {
		p.X = solvers.Sparse(p.X) // once for all trainings
	}
	results, mean, spread, err := p.trial(c, path.Folds).Path(ctx, costs, p.Start, fold, c.Workers)
	points := make([]Point[T], len(results))
	for q, r := range results {
		points[q] = Point[T]{C: costs[q], Result: r}
		if mean != nil {
			points[q].Hamming, points[q].Spread = mean[q][0], spread[q][0]
			points[q].Accuracy, points[q].AccuracySpread = mean[q][1], spread[q][1]
		}
	}
	return points, err
}

// Best returns the index of the point with the smallest Hamming loss, of Sets and of Y; of equal ones that with the
// smallest C. It returns -1 where there are no points. Points of a path without folds have no loss: the first is the best.
func Best[T vec.Float](points []Point[T]) int {
	best := -1
	for q, p := range points {
		if best < 0 || p.Hamming < points[best].Hamming {
			best = q
		}
	}
	return best
}

// trial trains with a C, and measures the Hamming loss.
func (p Problem[T]) trial(c Config, folds int) solvers.Trial[float64, *Result[T]] {
	return solvers.Trial[float64, *Result[T]]{
		Fit: func(ctx context.Context, cost float64, start *Result[T], rows []int) (*Result[T], error) {
			part, c := p, c
			if c.C, part.Start = cost, start; rows == nil {
				return part.Fit(ctx, c)
			}
			c.Workers, c.Progress = 1, nil
			part.Y, part.Sets, part.Weights = ascent.Pick(p.Y, rows), ascent.Pick(p.Sets, rows), ascent.Pick(p.Weights, rows)
			if p.Margins != nil {
				part.Margins = func(i int, plus, minus []float64) { p.Margins(rows[i], plus, minus) }
			}
			var err error
			if part.X, part.Kernel, err = ascent.Part(p.X, p.Kernel, rows); err != nil {
				return nil, err
			}
			return part.Fit(ctx, c)
		},
		Test: func(r *Result[T], rows []int) ([]float64, error) {
			x, err := ascent.ToTest(p.X, p.Kernel, folds)
			if err != nil {
				return nil, err
			}
			x = solvers.Subset(x, rows)
			predicted, err := solvers.LabelSets(r.Model, x, 1)
			if err != nil {
				return nil, err
			}
			truth, y := ascent.Pick(p.Sets, rows), ascent.Pick(p.Y, rows)
			for i := range y {
				truth = append(truth, y[i:i+1])
			}
			loss, err := metrics.HammingLoss(predicted, truth, c.Labels)
			if y == nil || err != nil {
				return []float64{loss, 0}, err
			}
			classes, err := solvers.Predict(r.Model, x, 1)
			if err != nil {
				return nil, err
			}
			accuracy, err := metrics.Accuracy(classes, y)
			return []float64{loss, accuracy}, err
		},
	}
}

// grid returns the costs, ascending, the folds, and c with what it leaves open. What is wrong shows here, before anything is
// trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path PathConfig) (costs []float64, fold []int, _ Config, err error) {
	if ctx == nil {
		return nil, nil, c, fmt.Errorf("no context")
	}
	if costs = slices.Clone(path.Cs); path.Cs == nil {
		costs = []float64{1e-3, 1e-2, 1e-1, 1, 10, 100}
	}
	slices.Sort(costs)
	for _, cost := range append(costs[:len(costs):len(costs)], 1) {
		if cost == 0 {
			return nil, nil, c, fmt.Errorf("C = 0, need a positive number")
		}
		full := c
		full.C = cost
		if _, full, err = p.prepare(full); err != nil {
			return nil, nil, c, err
		}
		c.Labels, c.Workers = full.Labels, full.Workers
	}
	if path.Folds != 0 {
		if _, err = ascent.ToTest(p.X, p.Kernel, path.Folds); err == nil {
			fold, err = solvers.Strata{Y: p.Y, Sets: p.Sets}.Folds(path.Folds, c.Seed)
		}
	}
	c.Checkpoint = solvers.Checkpoint{}
	return costs, fold, c, err
}
