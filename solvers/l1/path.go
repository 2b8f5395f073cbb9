package l1

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// LargestC returns the largest C for which W = 0 is the optimum: those above it are worth trying. It is one over the
// largest inner product, in size, of a feature with the slopes of the losses at scores of 0, of all outputs. It takes a
// pass over the examples; c.C is not used.
func (p Problem[T]) LargestC(c Config) (float64, error) {
	c.C = 1
	q, err := p.prepare(c, c.options())
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	slope := 2.0
	if c.Loss == Logistic {
		slope = 0.5
	}
	a, g := vec.NewMatrix[float64](q.n, len(q.classes)), vec.NewMatrix[float64](q.d, len(q.classes))
	for i, r := range q.radius {
		for l, class := range q.classes {
			a.Row(i)[l] = -slope * r
			if p.Y[i] == class {
				a.Row(i)[l] = slope * r
			}
		}
	}
	design.AccumulateAll(g, a, q.wide(p.X), 1) // the same bits wherever a path goes on
	largest := 0.0
	for _, v := range g.Data {
		largest = max(largest, math.Abs(v))
	}
	if at := 1 / largest; at < math.MaxFloat64 { // not of 0
		return at, nil
	}
	return 0, fmt.Errorf("%s: no C makes a weight other than 0: the features tell nothing of the classes", name)
}

// PathConfig says which costs to train with, and how to compare them.
type PathConfig struct {
	Cs   []float64 // default: 7 from twice LargestC to a thousand times that, in equal ratios
	Tops int       // accuracies to measure, top-1 to top-Tops; default: 1

	solvers.CrossValidation // Measures: by default these accuracies, in this order
}

// Point is one C of a path.
type Point[T vec.Float] struct {
	C      float64
	Result *Result[T] // on all examples

	solvers.Validation
}

// Path trains with each C, from the smallest, whose model has the fewest weights, to the largest, each from the weights
// of the one before: see [solvers.CrossValidation]. Parts are as equal in classes as they can be. c.C is not used.
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
	point := func(cost float64, r *Result[T], v solvers.Validation) Point[T] {
		return Point[T]{cost, r, v}
	}
	return crossval.Run(ctx, g, path.CrossValidation, which, point)
}

// grid is the path over costs.
type grid[T vec.Float] = crossval.Path[T, float64, *Model[T], Result[T], *prepared[T]]

// grid returns the path: its costs, the training at each, and accuracies.
func (p Problem[T]) grid(c Config, path PathConfig) (g grid[T], err error) {
	c.C = 1
	first, err := p.prepare(c, c.options())
	if err != nil {
		return g, err
	}
	c.Classes = first.c.Classes
	costs, err := p.costs(c, path)
	if err != nil {
		return g, err
	}
	accuracies, err := crossval.Accuracies(p.Y, cmp.Or(path.Tops, 1), c.Classes)
	p.X = design.Sparse(p.X) // once for all trainings
	return grid[T]{
		Family: name, Options: c.options(), Grid: costs, Start: p.Start, By: solvers.Strata{Y: p.Y},
		Simpler: func(a, b float64) bool { return a < b },
		Prepare: func(cost float64, start *Result[T], rows []int, o solvers.Options) (*prepared[T], error) {
			part, c := p.part(rows), c
			part.Start, c.C = start, cost
			return part.prepare(c, o)
		},
		Scores:   crossval.Scores[T, *Result[T]](p.X, nil),
		Measures: accuracies,
	}, err
}

// costs returns the grid.
func (p Problem[T]) costs(c Config, path PathConfig) ([]float64, error) {
	if path.Cs != nil {
		return crossval.Costs(path.Cs)
	}
	largest, err := p.LargestC(c)
	if err != nil {
		return nil, err
	}
	var all []float64
	for e := range 7 {
		all = append(all, 2*largest*math.Pow(10, float64(e)/2))
	}
	return all, nil
}

// part returns the problem of the examples rows, nil for all of them.
func (p Problem[T]) part(rows []int) Problem[T] {
	if rows != nil {
		p.X, p.Y, p.Weights = design.Subset(p.X, rows), family.Pick(p.Y, rows), family.Pick(p.Weights, rows)
	}
	return p
}
