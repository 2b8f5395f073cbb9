package crossval

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Folds returns the part of each example that cv asks for, nil for none; or what is wrong with cv. by are the examples
// with their labels, which are spread evenly where cv does not say the parts itself. k is the kernel that is trained
// on, if any.
func Folds[T vec.Float](cv solvers.CrossValidation, by solvers.Strata, seed uint64, k *kernel.Matrix[T]) ([]int,
	error) {
	if On(cv) && k != nil && k.Features() == nil {
		return nil, fmt.Errorf("folds with a precomputed kernel, want features: a model's examples are its values " +
			"with all that it was trained on")
	}
	for q, m := range cv.Measures {
		if m.Of == nil {
			return nil, fmt.Errorf("Measures[%d], %q, without its function Of", q, m.Name)
		}
	}
	switch {
	case cv.Folds != 0 && cv.Fold != nil:
		return nil, fmt.Errorf("Folds = %d and Fold of %d examples, want one of them", cv.Folds, len(cv.Fold))
	case cv.Fold != nil:
		return cv.Fold, own(cv, by)
	case cv.Folds != 0:
		by.Groups = cv.Groups
		return by.Folds(cv.Folds, seed)
	case cv.Groups != nil || cv.Measures != nil || cv.FoldsOnly || cv.State != nil:
		return nil, fmt.Errorf("Groups, Measures, FoldsOnly or State, but no cross-validation: set Folds or Fold")
	}
	return nil, nil
}

// own checks the parts that the caller has made.
func own(cv solvers.CrossValidation, by solvers.Strata) error {
	n := max(by.N, len(by.Y), len(by.Sets))
	if len(cv.Fold) != n {
		return fmt.Errorf("Fold of %d examples, but there are %d", len(cv.Fold), n)
	}
	if cv.Groups != nil && len(cv.Groups) != n {
		return fmt.Errorf("Groups of %d examples, but there are %d", len(cv.Groups), n)
	}
	sizes := make([]int, n)
	last := 0
	for i, f := range cv.Fold {
		if f < 0 || f >= n {
			return fmt.Errorf("Fold[%d] = %d, want one in 0..%d", i, f, n-1)
		}
		sizes[f]++
		last = max(last, f)
	}
	for f, size := range sizes[:last+1] {
		if size == 0 {
			return fmt.Errorf("Fold has a part %d and none %d, want all from 0 on", last, f)
		}
	}
	if last == 0 {
		return fmt.Errorf("all %d examples in one part, want 2 at least", n)
	}
	first := map[int]int{} // row of each group
	for i, g := range cv.Groups {
		if j, known := first[g]; !known {
			first[g] = i
		} else if cv.Fold[i] != cv.Fold[j] {
			return fmt.Errorf("rows %d and %d are of group %d, but in parts %d and %d", j, i, g, cv.Fold[j], cv.Fold[i])
		}
	}
	return nil
}

// On reports whether cv asks for parts.
func On(cv solvers.CrossValidation) bool { return cv.Folds != 0 || cv.Fold != nil }
