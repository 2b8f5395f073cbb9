package m3l

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which costs to train with, and how to compare them.
type PathConfig struct {
	Cs []float64 // default: 1e-3, 1e-2, ..., 1e2

	// Measures: by default the Hamming loss, the part of the decisions about labels that are wrong; of Y then the
	// accuracy, the part of the examples whose class has the largest score.
	solvers.CrossValidation
}

// Point is one C of a path.
type Point[T vec.Float] struct {
	C      float64
	Result *Result[T] // on all examples

	solvers.Validation
}

// Path trains with each C, from the smallest to the largest: see [solvers.CrossValidation]. Labels are spread evenly
// over the parts. c.C is not used.
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
type grid[T vec.Float] = crossval.Path[T, float64, *model.Model[T], Result[T], *prepared[T]]

// grid returns the path: its costs, the training at each, and the Hamming loss, of Y with the accuracy.
func (p Problem[T]) grid(c Config, path PathConfig) (g grid[T], err error) {
	costs, err := crossval.Costs(path.Cs, 1e-3, 1e-2, 1e-1, 1, 10, 100)
	if err != nil {
		return g, err
	}
	c.C = append(costs, 1)[0]
	first, err := p.prepare(c, c.options())
	if err != nil {
		return g, err
	}
	c.Labels = first.c.Labels
	measures := []solvers.Measure{{Name: "Hamming loss", Smaller: true,
		Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
			return p.hamming(scores, rows, c.Labels)
		}}}
	if p.Y != nil {
		accuracy, err := crossval.Accuracies(p.Y, 1, c.Labels)
		if err != nil {
			return g, err
		}
		measures = append(measures, accuracy...)
	}
	if p.X != nil {
		p.X = design.Sparse(p.X) // once for all trainings
	}
	return grid[T]{
		Family: name, Options: c.options(), Grid: costs, Start: p.Start,
		By: solvers.Strata{Y: p.Y, Sets: p.Sets}, Kernel: p.Kernel,
		Prepare: func(cost float64, start *Result[T], rows []int, o solvers.Options) (*prepared[T], error) {
			part, c := p.part(rows), c
			part.Start, c.C = start, cost
			return part.prepare(c, o)
		},
		Scores:   crossval.Scores[T, *Result[T]](p.X, p.Kernel),
		Measures: measures,
	}, nil
}

// part returns the problem of the examples rows, nil for all of them.
func (p Problem[T]) part(rows []int) Problem[T] {
	if rows == nil {
		return p
	}
	p.Y, p.Sets, p.Weights = family.Pick(p.Y, rows), family.Pick(p.Sets, rows), family.Pick(p.Weights, rows)
	if all := p.Margins; all != nil {
		p.Margins = func(i int, plus, minus []float64) { all(rows[i], plus, minus) }
	}
	p.X, p.Kernel = family.Part(p.X, p.Kernel, rows)
	return p
}

// hamming returns the Hamming loss on the examples rows.
func (p Problem[T]) hamming(scores vec.Matrix[float64], rows []int, labels int) (float64, error) {
	truth := family.Pick(p.Sets, rows)
	for _, class := range family.Pick(p.Y, rows) {
		truth = append(truth, []int{class})
	}
	predicted := make([][]int, len(rows))
	for i := range predicted {
		for l, v := range scores.Row(i) {
			if v > 0 {
				predicted[i] = append(predicted[i], l)
			}
		}
	}
	return metrics.HammingLoss(predicted, truth, labels)
}
