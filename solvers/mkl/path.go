package mkl

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/model"
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

// Path trains with each P, from the largest to the smallest, and for each of them with each C, from the smallest to the
// largest: see [solvers.CrossValidation]. A training starts from the dual variables and the weights of the one before.
// Parts are as equal in classes as they can be. c.C is not used.
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
		return Point[T]{at.p, at.c, r, v}
	}
	return crossval.Run(ctx, g, path.CrossValidation, which, point)
}

// grid is the path over places, each a P and a C.
type (
	grid[T vec.Float] = crossval.Path[T, place, *model.Model[T], Result[T], *prepared[T]]
	place             struct{ p, c float64 }
)

// grid returns the path: its places, the training at each, and the accuracy.
func (p Problem[T]) grid(c Config, path PathConfig) (g grid[T], err error) {
	norms := crossval.Down(path.Ps, cmp.Or(c.P, 1.25))
	costs, err := crossval.Costs(path.Cs, 1, 10, 100, 1000)
	switch {
	case err != nil:
		return g, err
	case slices.Contains(path.Ps, 0):
		return g, fmt.Errorf("P = 0, want a number above 1, at most 2")
	case len(norms) == 0 || len(costs) == 0:
		return g, fmt.Errorf("%d values of P and %d of C, want one of each at least", len(norms), len(costs))
	}
	c.P, c.C = norms[0], costs[0]
	first, err := p.prepare(c, c.options())
	if err != nil {
		return g, err
	}
	c.Classes = first.c.Classes
	accuracy, err := crossval.Accuracies(p.Y, 1, c.Classes)
	g = grid[T]{
		Family: name, Options: c.options(), Start: p.Start, By: solvers.Strata{Y: p.Y},
		Simpler: func(a, b place) bool { return a.c < b.c },
		Prepare: func(at place, start *Result[T], rows []int, o solvers.Options) (*prepared[T], error) {
			part, c := p.part(rows), c
			part.Start, c.P, c.C = start, at.p, at.c
			return part.prepare(c, o)
		},
		Scores:   func(r *Result[T], rows []int) (vec.Matrix[T], error) { return p.scores(r, rows, c.Classes), nil },
		Measures: accuracy,
	}
	for _, norm := range norms {
		for _, cost := range costs {
			g.Grid = append(g.Grid, place{norm, cost})
		}
	}
	return g, err
}

// part returns the problem of the examples rows, nil for all of them.
func (p Problem[T]) part(rows []int) Problem[T] {
	if rows != nil {
		p.Bundle, p.Y, p.Weights = p.Bundle.Compact(rows), family.Pick(p.Y, rows), family.Pick(p.Weights, rows)
	}
	return p
}

// scores returns the scores of the examples rows by r, which was trained on all the others.
func (p Problem[T]) scores(r *Result[T], rows []int, m int) vec.Matrix[T] {
	test := make([]bool, p.Bundle.Len())
	for _, i := range rows {
		test[i] = true
	}
	var trained []int
	for i, t := range test {
		if !t {
			trained = append(trained, i)
		}
	}
	scores := vec.NewMatrix[T](len(rows), m)
	r.Kernels.ScoresOf(scores, p.Bundle, rows, trained, 1)
	return scores
}
