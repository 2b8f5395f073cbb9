package svm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which costs and epsilons to train with, or which Nu, and how to compare them.
type PathConfig struct {
	Cs       []float64 // of classes and targets; default: 1e-3, 1e-2, ..., 1e2
	Epsilons []float64 // of targets; default: the Config's
	Nus      []float64 // of one class; default: the Config's

	// Measures: of classes by default the accuracy, the part of the examples on whose side of 0 the score is; of
	// targets the mean squared error, the mean absolute error, and R², the part of the variance that is explained; of
	// one class the part of the examples that are outside, which is about Nu where a model holds for others too. The
	// most regularized points are those with the smallest C, of one class with the largest Nu.
	solvers.CrossValidation
}

// Point is one C and Epsilon of a path, or one Nu.
type Point[T vec.Float] struct {
	C, Epsilon float64
	Nu         float64    // of one class, whose C is 0
	Result     *Result[T] // on all examples

	solvers.Validation
}

// Path trains with each Epsilon, from the largest to the smallest, and for each of them with each C, from the smallest
// to the largest: see [solvers.CrossValidation]. A training starts from the dual variables of the one before. Parts are
// as equal in classes as they can be. c.C and, where there are Epsilons, c.Epsilon are not used. Of one class it trains
// with each Nu, from the largest to the smallest.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	return p.run(ctx, c, path, crossval.Whole)
}

// PathFold is the share of a Path that trains without part which, or on all examples where which is [solvers.AllRows]:
// see [solvers.JoinFolds].
func (p Problem[T]) PathFold(ctx context.Context, c Config, path PathConfig, which int) ([]Point[T], error) {
	return p.run(ctx, c, path, which)
}

func (p Problem[T]) run(ctx context.Context, c Config, path PathConfig, which int) ([]Point[T], error) {
	g, err := p.grid(c, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	point := func(at place, r *Result[T], v solvers.Validation) Point[T] {
		return Point[T]{at.c, at.epsilon, at.nu, r, v}
	}
	return crossval.Run(ctx, g, path.CrossValidation, which, point)
}

// grid is the path over places, each a C and an Epsilon, or a Nu.
type (
	grid[T vec.Float] = crossval.Path[T, place, *Model[T], Result[T], *prepared[T]]
	place             struct{ c, epsilon, nu float64 }
)

// grid returns the path: its places, the training at each, and its measures.
func (p Problem[T]) grid(c Config, path PathConfig) (g grid[T], err error) {
	places, err := p.places(c, path)
	if err != nil {
		return g, err
	}
	first := places[0]
	c.C, c.Epsilon, c.Nu = first.c, first.epsilon, first.nu
	if _, err := p.prepare(c, c.options()); err != nil {
		return g, err
	}
	if p.X != nil {
		p.X = design.Sparse(p.X) // once for all trainings
	}
	by := solvers.Strata{Y: p.Y}
	switch {
	case p.OneClass && p.Kernel != nil:
		by.N = p.Kernel.Len()
	case p.OneClass:
		by.N, _ = p.X.Dims()
	case p.Y == nil:
		by.N = len(p.Targets)
	}
	return grid[T]{
		Family: name, Options: c.options(), Grid: places, Start: p.Start, By: by, Kernel: p.Kernel,
		Simpler: func(a, b place) bool {
			return a.c < b.c || a.c == b.c && (a.epsilon > b.epsilon || a.nu > b.nu)
		},
		Prepare: func(at place, start *Result[T], rows []int, o solvers.Options) (*prepared[T], error) {
			part, c := p.part(rows), c
			part.Start, c.C, c.Epsilon, c.Nu = start, at.c, at.epsilon, at.nu
			return part.prepare(c, o)
		},
		Scores:   crossval.Scores[T, *Result[T]](p.X, p.Kernel),
		Measures: p.measures(),
	}, nil
}

// places returns the places of the path, one at least.
func (p Problem[T]) places(c Config, path PathConfig) (places []place, err error) {
	if p.OneClass {
		if len(path.Cs) > 0 || len(path.Epsilons) > 0 {
			return nil, fmt.Errorf("%d values of C and %d of Epsilon with OneClass, want Nus", len(path.Cs),
				len(path.Epsilons))
		}
		for _, nu := range crossval.Down(path.Nus, cmp.Or(c.Nu, .5)) {
			places = append(places, place{nu: nu})
		}
		if len(places) == 0 {
			return nil, fmt.Errorf("no values of Nu, want one at least")
		}
		return places, nil
	}
	if len(path.Nus) > 0 {
		return nil, fmt.Errorf("%d values of Nu with Y or Targets, want OneClass", len(path.Nus))
	}
	costs, err := crossval.Costs(path.Cs, 1e-3, 1e-2, 1e-1, 1, 10, 100)
	if err != nil {
		return nil, err
	}
	epsilons := crossval.Down(path.Epsilons, c.Epsilon)
	if len(epsilons) == 0 || len(costs) == 0 {
		return nil, fmt.Errorf("%d values of C and %d of Epsilon, want one of each at least", len(costs), len(epsilons))
	}
	for _, epsilon := range epsilons {
		for _, cost := range costs {
			places = append(places, place{c: cost, epsilon: epsilon})
		}
	}
	return places, nil
}

// part returns the problem of the examples rows, nil for all of them.
func (p Problem[T]) part(rows []int) Problem[T] {
	if rows == nil {
		return p
	}
	p.Y, p.Targets, p.Weights = family.Pick(p.Y, rows), family.Pick(p.Targets, rows), family.Pick(p.Weights, rows)
	p.X, p.Kernel = family.Part(p.X, p.Kernel, rows)
	return p
}

// measures returns the measures of classes, of one class, or of targets.
func (p Problem[T]) measures() []solvers.Measure {
	if p.OneClass {
		return []solvers.Measure{{Name: "outside", Smaller: true, Of: outside}}
	}
	if p.Y != nil {
		return []solvers.Measure{{Name: "accuracy", Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
			guesses := make([]int, len(rows))
			for q := range guesses {
				if scores.Row(q)[0] > 0 {
					guesses[q] = 1
				}
			}
			return metrics.Accuracy(guesses, family.Pick(p.Y, rows))
		}}}
	}
	of := func(measure func([]float64, []float64) (float64, error)) func(vec.Matrix[float64], []int) (float64, error) {
		return func(scores vec.Matrix[float64], rows []int) (float64, error) {
			predicted := make([]float64, len(rows))
			for q := range predicted {
				predicted[q] = scores.Row(q)[0]
			}
			return measure(predicted, family.Pick(p.Targets, rows))
		}
	}
	return []solvers.Measure{
		{Name: "mean squared error", Smaller: true, Of: of(metrics.MeanSquaredError[float64])},
		{Name: "mean absolute error", Smaller: true, Of: of(metrics.MeanAbsoluteError[float64])},
		{Name: "R²", Of: of(metrics.R2[float64])},
	}
}

// outside returns the part of the scores that are below 0.
func outside(scores vec.Matrix[float64], rows []int) (float64, error) {
	count := 0
	for q := range rows {
		if scores.Row(q)[0] < 0 {
			count++
		}
	}
	return float64(count) / float64(len(rows)), nil
}
