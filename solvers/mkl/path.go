package mkl

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

// PathConfig says which P and C to train with, and how to compare them.
type PathConfig struct {
	Ps []float64 // default: the Config's
	Cs []float64 // default: 1, 10, 100, 1000

	// Measures: by default the accuracy, the part of the examples whose class has the largest score. The most
	// regularized points are those with the smallest C.
	solvers.CrossValidation
}

// Point is one P and C of a path.
type Point[T vec.Float] struct {
	P, C   float64
	Result *Result[T] // on all examples

	solvers.Validation
}

// place is one of the grid.
type place struct{ p, c float64 }

// Path trains with each P, from the largest to the smallest, and for each of them with each C, from the smallest to the
// largest, each training from the dual variables and the weights of the one before, the first from p.Start. With folds,
// it then does so without each of them in turn as well, and tests on it; folds are as equal in size and classes as they
// can be, drawn by c.Seed, and c.Workers of them run at a time. The points are in that order; [solvers.Best] picks one.
// c.C is not used; c.Progress tells of the trainings on all examples only, and c.Checkpoint keeps what the folds have
// measured, for path.State.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without measures if it ends among the
// folds.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	grid, fold, full, err := p.grid(ctx, c, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := p.trial(full)
	t.Grid, t.Fold, t.Start, t.Checkpoint = grid, fold, p.Start, c.Checkpoint
	reached, err := t.Run(ctx, path.CrossValidation)
	points := make([]Point[T], len(reached))
	for q, r := range reached {
		points[q] = Point[T]{r.At.p, r.At.c, r.Result, r.Validation}
	}
	return points, err
}

// trial trains at a place, and measures accuracy.
func (p Problem[T]) trial(c Config) crossval.Trial[T, place, *Result[T]] {
	return crossval.Trial[T, place, *Result[T]]{
		Fit: func(ctx context.Context, at place, start *Result[T], rows []int) (*Result[T], error) {
			part, c := p, c
			c.P, c.C, part.Start = at.p, at.c, start
			if rows != nil {
				c.Workers, c.Progress = 1, nil
				part.Bundle, part.Y, part.Weights = p.Bundle.Compact(rows), family.Pick(p.Y, rows),
					family.Pick(p.Weights, rows)
			}
			return part.Fit(ctx, c)
		},
		Scores: func(r *Result[T], rows []int) (vec.Matrix[T], error) {
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
			scores := vec.NewMatrix[T](len(rows), c.Classes)
			r.Kernels.ScoresOf(scores, p.Bundle, rows, of, 1)
			return scores, nil
		},
		Own: crossval.Accuracies(1),
		Measure: func(scores vec.Matrix[T], rows []int) ([]float64, error) {
			return metrics.TopK(scores, family.Pick(p.Y, rows), 1)
		},
		Workers: c.Workers,
		Simpler: func(a, b place) bool { return a.c < b.c },
		Identity: crossval.Identity(func(at place) (*prepared[T], error) {
			c := c
			c.P, c.C = at.p, at.c
			return p.prepare(c)
		}),
	}
}

// grid returns the places, the folds, and c with what it leaves open. What is wrong shows here, before
// anything is trained.
func (p Problem[T]) grid(ctx context.Context, c Config, path PathConfig) (points []place, fold []int, _ Config,
	err error) {
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
			t, err := p.prepare(full)
			if err != nil {
				return nil, nil, c, err
			}
			full = t.c
			full.Workers = t.o.Workers
			points = append(points, place{full.P, cost})
		}
	}
	if len(points) == 0 {
		return nil, nil, c, fmt.Errorf("%d values of P and %d of C, need one of each at least", len(norms), len(costs))
	}
	fold, err = crossval.Folds[T](path.CrossValidation, solvers.Strata{Y: p.Y}, c.Seed, nil)
	c.Classes, c.Workers, c.Checkpoint = full.Classes, full.Workers, solvers.Checkpoint{}
	return points, fold, c, err
}
