package crossval

import (
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// TestFolds: parts are the ones of Strata, with groups in one of them each, or the caller's own.
func TestFolds(t *testing.T) {
	y, groups := []int{0, 1, 0, 1, 0, 1, 0, 1}, []int{5, 5, 2, 2, 9, 9, 9, 4}
	by := solvers.Strata{Y: y}
	want, err := by.Folds(3, 7)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Folds[float64](solvers.CrossValidation{Folds: 3}, by, 7, nil)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	got, err = Folds[float64](solvers.CrossValidation{Folds: 3, Groups: groups}, by, 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		for j := range got {
			if groups[i] == groups[j] && got[i] != got[j] {
				t.Errorf("rows %d and %d of group %d in parts %d and %d", i, j, groups[i], got[i], got[j])
			}
		}
	}
	own := []int{1, 1, 0, 0, 2, 2, 2, 0}
	if got, err = Folds[float64](solvers.CrossValidation{Fold: own, Groups: groups}, by, 7, nil); err != nil ||
		!slices.Equal(got, own) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err = Folds[float64](solvers.CrossValidation{}, by, 7, nil); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	measure := func(vec.Matrix[float64], []int) (float64, error) { return 0, nil }
	for want, cv := range map[string]solvers.CrossValidation{
		"Folds = 2 and Fold of 8 examples":                     {Folds: 2, Fold: own},
		"Fold of 7 examples, but there are 8":                  {Fold: own[:7]},
		"Groups of 7 examples, but there are 8":                {Fold: own, Groups: groups[:7]},
		"8 labels and 7 groups":                                {Folds: 2, Groups: groups[:7]},
		"Fold[3] = -1, want one in 0..7":                       {Fold: []int{0, 1, 0, -1, 0, 0, 0, 0}},
		"Fold[1] = 8, want one in 0..7":                        {Fold: []int{0, 8, 0, 1, 0, 0, 0, 0}},
		"Fold has a part 2 and none 1":                         {Fold: []int{0, 2, 0, 2, 0, 0, 0, 0}},
		"all 8 examples in one part":                           {Fold: make([]int, 8)},
		"rows 0 and 1 are of group 5, but in parts 1 and 0":    {Fold: []int{1, 0, 0, 0, 2, 2, 2, 0}, Groups: groups},
		"1 folds of 8 examples":                                {Folds: 1},
		"5 folds of 4 groups":                                  {Folds: 5, Groups: groups},
		"but no cross-validation: set Folds":                   {Groups: groups},
		"or State, but no cross-validation: set Folds or Fold": {FoldsOnly: true},
		"Measures, FoldsOnly or State, but no cross":           {Measures: []solvers.Measure{{Of: measure}}},
		`Measures[1], "loss", without its function Of`: {Folds: 2, Measures: []solvers.Measure{{Of: measure},
			{Name: "loss"}}},
	} {
		if got, err := Folds[float64](cv, by, 7, nil); got != nil && cv.Fold == nil || err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", got, err, want)
		}
	}
}
