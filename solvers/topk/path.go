package topk

import (
	"cmp"
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/model"
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

// Path trains with each Lambda, from the largest to the smallest: see [solvers.CrossValidation]. Parts are as equal in
// classes as they can be. c.Lambda is not used. It is an error where examples have sets of classes, which have no
// accuracies, and there are parts without Measures.
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
	point := func(at float64, r *Result[T], v solvers.Validation) Point[T] {
		return Point[T]{at, r, v}
	}
	return crossval.Run(ctx, g, path.CrossValidation, which, point)
}

// grid is the path over Lambdas.
type grid[T vec.Float] = crossval.Path[T, float64, *model.Model[T], Result[T], *prepared[T]]

// grid returns the path: its Lambdas, the training at each, and the accuracies.
func (p Problem[T]) grid(c Config, path PathConfig) (g grid[T], err error) {
	var defaults []float64
	for _, cost := range []float64{1e-3, 1e-2, 1e-1, 1, 10, 100} {
		defaults = append(defaults, 1/(cost*float64(max(1, len(p.Y), len(p.Sets)))))
	}
	lambdas := crossval.Down(path.Lambdas, defaults...)
	c.Lambda = append(lambdas, 1)[0]
	first, err := p.prepare(c, c.options())
	if err != nil {
		return g, err
	}
	c = first.c
	if p.Sets != nil && path.Measures == nil && crossval.On(path.CrossValidation) {
		return g, fmt.Errorf("folds with sets of classes, which have no top-k accuracy: want Measures")
	}
	accuracies, err := crossval.Accuracies(p.Y, cmp.Or(path.Tops, c.K), c.Classes)
	if p.X != nil {
		p.X = design.Sparse(p.X) // once for all trainings
	}
	return grid[T]{
		Family: name, Options: c.options(), Grid: lambdas, Start: p.Start,
		By: solvers.Strata{Y: p.Y, Sets: p.Sets}, Kernel: p.Kernel,
		Prepare: func(lambda float64, start *Result[T], rows []int, o solvers.Options) (*prepared[T], error) {
			part, c := p.part(rows), c
			part.Start, c.Lambda = start, lambda
			return part.prepare(c, o)
		},
		Scores:   crossval.Scores[T, *Result[T]](p.X, p.Kernel),
		Measures: accuracies,
	}, err
}

// part returns the problem of the examples rows, nil for all of them.
func (p Problem[T]) part(rows []int) Problem[T] {
	if rows != nil {
		p.Y, p.Sets, p.Weights = family.Pick(p.Y, rows), family.Pick(p.Sets, rows), family.Pick(p.Weights, rows)
		p.X, p.Kernel = family.Part(p.X, p.Kernel, rows)
	}
	return p
}
