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

// Path trains with each C, from the smallest to the largest, each training from the dual variables of the one before,
// the first from p.Start. With folds, it then does so without each of them in turn as well, and tests on it; positive
// and negative examples are spread evenly over the folds, drawn by c.Seed, queries stay together, and c.Workers of
// them run at a time. The points are in that order of C; [solvers.Best] picks one. c.C is not used; c.Progress tells
// of the trainings on all examples only, and c.Checkpoint keeps what the folds have measured, for path.State.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without measures if it ends among the
// folds. Folds need no precomputed kernel, and a positive example in each of them.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	if path.Groups == nil && path.Folds != 0 {
		path.Groups = p.Groups
	}
	g, err := p.grid(c, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return crossval.Run(ctx, g, path.CrossValidation, func(cost float64, r *Result[T], v solvers.Validation) Point[T] {
		return Point[T]{cost, r, v}
	})
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
			c := c
			c.C = cost
			part, err := p.part(rows)
			if err != nil {
				return nil, err
			}
			part.Start = start
			return part.prepare(c, o)
		},
		Parts:    p.checkParts,
		Scores:   crossval.Scores[T, *Result[T]](p.X, p.Kernel),
		Measures: []crossval.Measure[T]{measure},
	}, nil
}

// part returns the problem of the examples rows, nil for all of them.
func (p Problem[T]) part(rows []int) (_ Problem[T], err error) {
	if rows != nil {
		p.Positive, p.Groups = family.Pick(p.Positive, rows), family.Pick(p.Groups, rows)
		p.X, p.Kernel, err = family.Part(p.X, p.Kernel, rows)
	}
	return p, err
}

// measure returns the precision at a recall, or the mean average precision by query.
func (p Problem[T]) measure(recall float64) (m crossval.Measure[T], err error) {
	switch {
	case p.Groups != nil && recall != 0:
		return m, fmt.Errorf("Recall = %v with Groups, which are measured by query", recall)
	case p.Groups != nil:
		m.Names = []string{"mean average precision by query"}
		m.Of = func(scores vec.Matrix[T], rows []int) ([]float64, error) {
			mean, err := metrics.MeanAveragePrecision(scores.Data, family.Pick(p.Positive, rows),
				family.Pick(p.Groups, rows))
			return []float64{mean}, err
		}
		return m, nil
	}
	recall = cmp.Or(recall, 0.2)
	if !(recall > 0 && recall <= 1) {
		return m, fmt.Errorf("Recall = %v, want a number above 0 and at most 1", recall)
	}
	m.Names = []string{fmt.Sprintf("precision at recall %v", recall)}
	m.Of = func(scores vec.Matrix[T], rows []int) ([]float64, error) {
		precision, _, err := metrics.PrecisionAtRecall(scores.Data, family.Pick(p.Positive, rows), recall)
		return []float64{precision}, err
	}
	return m, nil
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
