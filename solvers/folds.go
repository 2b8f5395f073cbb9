package solvers

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
)

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
	workers, err := parallel.Cores(workers, len(fold))
	if err != nil {
		return nil, fmt.Errorf("solvers: %w", err)
	}
	count := 0
	for i, f := range fold {
		if f < 0 || f >= len(fold) {
			return nil, fmt.Errorf("solvers: fold %d of row %d, want one in 0..%d", f, i, len(fold)-1)
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
