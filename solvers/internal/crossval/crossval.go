// Package crossval is the path with cross-validation of every family: trainings at the points of a grid, each from the
// result of the one before, on all examples and without each part of them in turn.
package crossval

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Trial is how a family trains at a point P of a grid to a result R, and what its models are measured by.
type Trial[T vec.Float, P, R any] struct {
	Grid    []P
	Simpler func(a, b P) bool // whether a is more regularized than b; nil: what comes first in the grid
	Start   R                 // what the first training on all examples starts from
	Fold    []int             // the part of each example, see Folds; nil: no cross-validation
	Parts   []int             // the parts that are left out, ascending; nil: all
	Workers int               // parts at a time, 0: as many as cores

	Fit func(ctx context.Context, at P, start R, rows []int) (R, error) // trains on the examples rows; nil: on all
	// of the examples rows, which r was not trained on
	Scores func(r R, rows []int) (vec.Matrix[T], error)

	Measures []solvers.Measure // unless CrossValidation.Measures says otherwise

	Checkpoint solvers.Checkpoint
	Identity   func(at P) (train.Identity, error) // of the training at a point
}

// Point is a point of the grid with what came of it.
type Point[P, R any] struct {
	At     P
	Result R
	solvers.Validation
}

// Run trains on all examples unless cv leaves that out, then without each part of them, and measures. Where err is not
// nil there are the points with a result, without measures.
func (t Trial[T, P, R]) Run(ctx context.Context, cv solvers.CrossValidation) ([]Point[P, R], error) {
	points := make([]Point[P, R], len(t.Grid))
	for p := range points {
		points[p].At, points[p].Order = t.Grid[p], t.order(p)
	}
	s, err := newSearch(t, cv)
	if err != nil {
		return nil, err
	}
	release := s.saveAtEnd(ctx)
	s.tell(0)
	reached := 0
	if !cv.FoldsOnly {
		err = t.walk(ctx, t.Start, nil, func(p int, r R) error {
			points[p].Result, reached = r, p+1
			s.tell(1)
			return nil
		})
	}
	if err == nil && t.Fold != nil {
		err = s.run(ctx)
	}
	release()
	if err = s.saveLast(ctx, err); err != nil || t.Fold == nil {
		return points[:reached], err
	}
	for p := range points {
		for q, m := range s.Measures {
			points[p].Measures = append(points[p].Measures, solvers.NewMeasured(m, s.of(p, q)))
		}
	}
	return points, nil
}

// order returns how many points are more regularized than point p.
func (t Trial[T, P, R]) order(p int) (before int) {
	if t.Simpler == nil {
		return p
	}
	for _, other := range t.Grid {
		if t.Simpler(other, t.Grid[p]) {
			before++
		}
	}
	return before
}

// walk trains on the examples rows at each point of the grid, each training starting from the result of the one before,
// the first from start. It ends with the first error: of a training, of use, or the end of ctx.
func (t Trial[T, P, R]) walk(ctx context.Context, start R, rows []int, use func(p int, r R) error) error {
	for p, at := range t.Grid {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := t.Fit(ctx, at, start, rows)
		if err == nil {
			err = use(p, r)
		}
		if err != nil {
			return err
		}
		start = r
	}
	return nil
}

// measure returns the measures of r on the examples rows.
func (s *search[T, P, R]) measure(r R, rows []int) ([]float64, error) {
	scores, err := s.Scores(r, rows)
	if err != nil {
		return nil, err
	}
	wide := vec.NewMatrix[float64](scores.Rows, scores.Cols)
	for p := range scores.Rows {
		vec.Convert(wide.Row(p), scores.Row(p))
		for c, v := range wide.Row(p) {
			if v != v {
				return nil, fmt.Errorf("the score of row %d for output %d is NaN", rows[p], c)
			}
		}
	}
	values := make([]float64, len(s.Measures))
	for q, m := range s.Measures {
		if values[q], err = m.Of(wide, rows); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return values, nil
}
