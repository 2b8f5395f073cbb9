package crossval

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
)

// share returns what of a cross-validation is left to do where only which of it is asked for, see Run: the parts of the
// examples, nil where none is left out, and those parts that are, nil for all.
func share(cv solvers.CrossValidation, fold []int, which int) (solvers.CrossValidation, []int, []int, error) {
	switch {
	case which == Whole:
		return cv, fold, nil, nil
	case which == solvers.AllRows:
		return solvers.CrossValidation{Trained: cv.Trained}, nil, nil, nil
	case fold == nil:
		return cv, nil, nil, fmt.Errorf("part %d, but no cross-validation: set Folds or Fold", which)
	case which < 0 || which > slices.Max(fold):
		return cv, nil, nil, fmt.Errorf("part %d, want one in 0..%d, or AllRows, %d", which, slices.Max(fold),
			solvers.AllRows)
	}
	cv.FoldsOnly = true
	return cv, fold, []int{which}, nil
}
