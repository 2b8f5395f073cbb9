package toprank

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which weights of the losses to train with, and how to compare them.
type PathConfig struct {
	Cs     []float64 // default: 1e-2, 1e-1, ..., 1e2
	Recall float64   // that the precision is measured at, above 0 and at most 1; default: .2

	// Measures: by default the precision at that recall; where the problem has Groups, the mean average precision by
	// query, without a Recall. Groups: by default the problem's.
	solvers.CrossValidation
}

// Point is one C of a path.
type Point[T vec.Float] struct {
	C      float64
	Result *Result[T] // on all examples

	solvers.Validation
}

// Path trains with each C, from the smallest to the largest: see [solvers.CrossValidation]. Positive and negative
// examples are spread evenly over the parts, each of which has a positive one; queries stay together. c.C is not used.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	return p.run(ctx, c, path, crossval.Whole)
}

// PathFold is the share of a Path that trains without part which, or on all examples where which is [solvers.AllRows]:
// see [solvers.JoinFolds].
func (p Problem[T]) PathFold(ctx context.Context, c Config, path PathConfig, which int) ([]Point[T], error) {
	return p.run(ctx, c, path, which)
}

func (p Problem[T]) run(ctx context.Context, c Config, path PathConfig, which int) ([]Point[T], error) {
	if path.Groups == nil && path.Folds != 0 {
		path.Groups = p.Groups
	}
	g, err := p.grid(c, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	point := func(cost float64, r *Result[T], v solvers.Validation) Point[T] {
		return Point[T]{cost, r, v}
	}
	return crossval.Run(ctx, g, path.CrossValidation, which, point)
}

// grid is the path over Cs.
type grid[T vec.Float] = crossval.Path[T, float64, *Model[T], Result[T], *prepared[T]]

// grid returns the path: its Cs, the training at each, and the precision at the top.
func (p Problem[T]) grid(c Config, path PathConfig) (g grid[T], err error) {
	costs, err := crossval.Costs(path.Cs, 1e-2, 1e-1, 1, 10, 100)
	if err != nil {
		return g, err
	}
	measure, err := p.measure(path.Recall)
	if err != nil {
		return g, err
	}
	if positives := count(p.Positive); positives < path.Folds {
		return g, fmt.Errorf("Folds = %d, but %d positive examples: want one in each", path.Folds, positives)
	}
	return grid[T]{
		Family: name, Options: c.options(), Grid: costs, Start: p.Start,
		By: solvers.Strata{Y: classes(p.Positive)}, Kernel: p.Kernel,
		Prepare: func(cost float64, start *Result[T], rows []int, o solvers.Options) (*prepared[T], error) {
			part, c := p.part(rows), c
			part.Start, c.C = start, cost
			return part.prepare(c, o)
		},
		Parts:    p.checkParts,
		Scores:   crossval.Scores[T, *Result[T]](p.X, p.Kernel),
		Measures: []solvers.Measure{measure},
	}, nil
}

// part returns the problem of the examples rows, nil for all of them.
func (p Problem[T]) part(rows []int) Problem[T] {
	if rows != nil {
		p.Positive, p.Groups = family.Pick(p.Positive, rows), family.Pick(p.Groups, rows)
		p.X, p.Kernel = family.Part(p.X, p.Kernel, rows)
	}
	return p
}

// measure returns the precision at a recall, or the mean average precision by query.
func (p Problem[T]) measure(recall float64) (m solvers.Measure, err error) {
	if p.Groups != nil {
		if recall != 0 {
			err = fmt.Errorf("Recall = %v with Groups, which are measured by query", recall)
		}
		return solvers.Measure{Name: "mean average precision by query",
			Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				return metrics.MeanAveragePrecision(scores.Data, family.Pick(p.Positive, rows),
					family.Pick(p.Groups, rows))
			}}, err
	}
	if recall = cmp.Or(recall, 0.2); !(recall > 0 && recall <= 1) {
		return m, fmt.Errorf("Recall = %v, want a number above 0 and at most 1", recall)
	}
	return solvers.Measure{Name: fmt.Sprintf("precision at recall %v", recall),
		Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
			precision, _, err := metrics.PrecisionAtRecall(scores.Data, family.Pick(p.Positive, rows), recall)
			return precision, err
		}}, nil
}

// checkParts returns an error where a part has no positive example.
func (p Problem[T]) checkParts(fold []int) error {
	positives := make([]int, slices.Max(fold)+1)
	for i, f := range fold {
		if p.Positive[i] {
			positives[f]++
		}
	}
	if f := slices.Index(positives, 0); f >= 0 {
		return fmt.Errorf("no positive example in part %d of %d, want one in each: fewer parts, or others", f,
			len(positives))
	}
	return nil
}
