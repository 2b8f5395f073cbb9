package crossval

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Path is the path of a family: the points P of its grid, a training F at each, and what the scores of its results R
// are measured by.
type Path[T vec.Float, P, M, R any, F family.Training[T, M, R]] struct {
	Family  string            // its name
	Options solvers.Options   // of the Config
	Grid    []P               // in the order of the trainings
	Simpler func(a, b P) bool // whether a is more regularized than b; nil: what comes first in the grid
	Start   *R                // of the first training on all examples
	By      solvers.Strata    // the labels that parts of the examples are drawn by
	Kernel  *kernel.Matrix[T] // that is trained on, if any

	// Prepare returns the training at a point on the examples rows, nil for all. It starts from start, the result at
	// the point before, unless that is nil.
	Prepare func(at P, start *R, rows []int, o solvers.Options) (F, error)

	Parts func(fold []int) error // what is wrong with the parts of the examples; nil: nothing

	// Scores returns the scores of the examples rows, which r was not trained on.
	Scores   func(r *R, rows []int) (vec.Matrix[T], error)
	Measures []solvers.Measure // unless the caller has measures
}

// Whole says that Run is to train on all examples and without each part. It is no number of a part that anyone errs by.
const Whole = math.MinInt

// Run trains at all points and measures: on all examples and without each part where which is Whole, on all examples
// where it is solvers.AllRows, else without part which. What is wrong with the grid or the parts shows before anything
// is trained. Where the error is not nil there are the points with a result, without measures. point makes a family's
// Point.
func Run[T vec.Float, P, M, R any, F family.Training[T, M, R], Q any](ctx context.Context, p Path[T, P, M, R, F],
	cv solvers.CrossValidation, which int, point func(at P, r *R, v solvers.Validation) Q) ([]Q, error) {
	var fold, parts []int
	grid, err := some(p.Grid, cv.Points)
	if len(p.Grid) == 0 {
		err = fmt.Errorf("a path of no points, want one at least")
	}
	if err == nil {
		p.Grid = grid
		fold, err = p.check(ctx, cv)
	}
	if err == nil {
		cv, fold, parts, err = share(cv, fold, which)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Family, err)
	}
	reached, err := Trial[T, P, *R]{
		Grid: p.Grid, Simpler: p.Simpler, Start: p.Start, Fold: fold, Parts: parts, Workers: p.Options.Workers,
		Fit: p.fit, Scores: p.Scores, Measures: p.Measures, Checkpoint: p.Options.Checkpoint, Identity: p.identity,
	}.Run(ctx, cv)
	points := make([]Q, len(reached))
	for k, r := range reached {
		points[k] = point(r.At, r.Result, r.Validation)
	}
	return points, err
}

// check returns the part of each example, or what is wrong.
func (p *Path[T, P, M, R, F]) check(ctx context.Context, cv solvers.CrossValidation) (fold []int, err error) {
	if ctx == nil {
		return nil, fmt.Errorf("no context")
	}
	if _, err := p.Options.WithDefaults(); err != nil {
		return nil, err
	}
	for _, at := range p.Grid {
		if _, err := p.Prepare(at, p.Start, nil, p.Options); err != nil {
			return nil, err
		}
	}
	fold, err = Folds(cv, p.By, p.Options.Seed, p.Kernel)
	if err == nil && fold != nil && p.Parts != nil {
		err = p.Parts(fold)
	}
	return fold, err
}

// fit is Trial.Fit. Parts are trained side by side, by one worker each.
func (p *Path[T, P, M, R, F]) fit(ctx context.Context, at P, start *R, rows []int) (*R, error) {
	o := p.Options
	o.Checkpoint = solvers.Checkpoint{} // the path's own
	if rows != nil {
		o.Workers, o.Progress = 1, nil
	}
	return family.Fit(ctx, p.Family, func(at P, o solvers.Options) (F, error) {
		return p.Prepare(at, start, rows, o)
	}, at, o)
}

// identity is Trial.Identity.
func (p *Path[T, P, M, R, F]) identity(at P) (train.Identity, error) {
	t, err := p.Prepare(at, p.Start, nil, p.Options)
	if err != nil {
		return train.Identity{}, err
	}
	return t.Identity(), nil
}
