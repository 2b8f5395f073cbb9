package solvers

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
)

// Walk trains at the points of a grid, in the order given, each training starting from the result of the one before,
// the first from start. It returns the results reached, and the error that ended the walk early: fit's, or the end of
// ctx.
func Walk[P, R any](ctx context.Context, grid []P, start R, fit func(ctx context.Context, p P, start R) (R, error)) ([]R, error) {
	reached := make([]R, 0, len(grid))
	for _, p := range grid {
		if err := ctx.Err(); err != nil {
			return reached, err
		}
		r, err := fit(ctx, p, start)
		if err != nil {
			return reached, err
		}
		reached, start = append(reached, r), r
	}
	return reached, nil
}

// Trial is how a family trains at a point P of a grid, and how it measures what came out.
type Trial[P, R any] struct {
	Fit  func(ctx context.Context, p P, start R, rows []int) (R, error) // trains on the examples rows; nil: on all
	Test func(r R, rows []int) ([]float64, error)                       // measures r on the examples rows
}

// Path trains on all examples at the points of a grid, as Walk does. With fold, which tells the fold of each example, it
// then does so without each fold in turn as well, each time from the zero R, and measures the results on it; workers of the
// folds at a time, 0 standing for all cores. mean and spread are those of the measures over the folds, the standard deviation
// being the spread: [point][measure]. Where err is not nil there are the results reached, and no measures.
func (t Trial[P, R]) Path(ctx context.Context, grid []P, start R, fold []int, workers int) (reached []R, mean, spread [][]float64, err error) {
	walk := func(start R, rows []int) ([]R, error) {
		return Walk(ctx, grid, start, func(ctx context.Context, p P, start R) (R, error) {
			return t.Fit(ctx, p, start, rows)
		})
	}
	if reached, err = walk(start, nil); err != nil || fold == nil {
		return reached, nil, nil, err
	}
	measured, err := CrossValidate(fold, func(train, test []int) ([][]float64, error) {
		var none R
		results, err := walk(none, train)
		measures := make([][]float64, len(results))
		for p := range results {
			if err == nil {
				measures[p], err = t.Test(results[p], test)
			}
		}
		return measures, err
	}, workers)
	if err != nil {
		return reached, nil, nil, err
	}
	mean, spread = make([][]float64, len(grid)), make([][]float64, len(grid))
	for p := range grid {
		count := len(measured[0][p])
		mean[p], spread[p] = make([]float64, count), make([]float64, count)
		for q := range count {
			mean[p][q], spread[p][q] = meanSpread(measured, p, q)
		}
	}
	return reached, mean, spread, nil
}

// meanSpread returns the mean and the standard deviation over the folds of measure q at point p.
func meanSpread(measured [][][]float64, p, q int) (mean, spread float64) {
	n := float64(len(measured))
	for _, fold := range measured {
		mean += fold[p][q] / n
	}
	for _, fold := range measured {
		spread += (fold[p][q] - mean) * (fold[p][q] - mean) / n
	}
	return mean, math.Sqrt(spread)
}

// Folds returns the fold of each example, 0 to count-1, drawn by seed: as equal as can be in size and in the classes y.
// nil y stands for n examples of one class. It is an error unless 2 <= count <= n. [Strata] has folds of label sets and
// of groups, and splits.
func Folds(y []int, n, count int, seed uint64) ([]int, error) {
	if y != nil && len(y) != n {
		return nil, fmt.Errorf("solvers: %d labels for the folds of %d examples", len(y), n)
	}
	return Strata{N: n, Y: y}.Folds(count, seed)
}

// CrossValidate calls run for each fold with the examples that are not in it, to train on, and those that are, to test
// on, both ascending; workers of them at a time, 0 standing for all cores. It returns what run returned, fold by fold,
// or the error of the first fold that has one.
func CrossValidate[R any](fold []int, run func(train, test []int) (R, error), workers int) ([]R, error) {
	workers, err := parallel.Cores(workers)
	if err != nil {
		return nil, fmt.Errorf("solvers: %w", err)
	}
	count := 0
	for i, f := range fold {
		if f < 0 || f >= len(fold) {
			return nil, fmt.Errorf("solvers: fold %d of row %d, need one in 0..%d", f, i, len(fold)-1)
		}
		count = max(count, f+1)
	}
	results, errs := make([]R, count), make([]error, count)
	parallel.Do(workers, count, func(_, f int) {
		train, test := []int{}, []int{}
		for i, g := range fold {
			if g == f {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		results[f], errs[f] = run(train, test)
	})
	for f, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("solvers: fold %d: %w", f, err)
		}
	}
	return results, nil
}
