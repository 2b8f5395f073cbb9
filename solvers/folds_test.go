package solvers_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// TestFolds: folds are as equal as can be in size and in every class, whatever numbers these have, and drawn by the
// seed.
func TestFolds(t *testing.T) {
	y := make([]int, 47)
	for i := range y {
		y[i] = []int{0, 7, math.MinInt, math.MaxInt, -1}[i*i%5]
	}
	for count := 2; count <= 47; count++ {
		fold, err := solvers.Folds(y, 47, count, 3)
		if err != nil {
			t.Fatal(err)
		}
		size, of := make([]int, count), map[int][]int{}
		for i, f := range fold {
			size[f]++
			if of[y[i]] == nil {
				of[y[i]] = make([]int, count)
			}
			of[y[i]][f]++
		}
		if slices.Max(size)-slices.Min(size) > 1 {
			t.Errorf("%d folds of %v", count, size)
		}
		for class, size := range of {
			if slices.Max(size)-slices.Min(size) > 1 {
				t.Errorf("%d folds with %v of class %d", count, size, class)
			}
		}
		again, _ := solvers.Folds(y, 47, count, 3)
		other, _ := solvers.Folds(y, 47, count, 4)
		if !slices.Equal(fold, again) || slices.Equal(fold, other) {
			t.Errorf("%d folds: the seed decides the draw", count)
		}
	}
	fold, err := solvers.Folds(nil, 10, 3, 0)
	if slices.Sort(fold); err != nil || !slices.Equal(fold, []int{0, 0, 0, 0, 1, 1, 1, 2, 2, 2}) {
		t.Errorf("%v, %v", fold, err)
	}
	for want, call := range map[string]func() ([]int, error){
		"solvers: 47 labels for the folds of 46 examples": func() ([]int, error) { return solvers.Folds(y, 46, 2, 0) },
		"solvers: 1 folds of 47 examples":                 func() ([]int, error) { return solvers.Folds(y, 47, 1, 0) },
		"solvers: 48 folds of 47 examples":                func() ([]int, error) { return solvers.Folds(y, 47, 48, 0) },
		"solvers: -2 folds of 47 examples": func() ([]int,
			error) {
			return solvers.Folds(nil, 47, -2, 0)
		},
		"solvers: 2 folds of 0 examples": func() ([]int, error) { return solvers.Folds([]int{}, 0, 2, 0) },
	} {
		if fold, err := call(); fold != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestCrossValidate: each example is tested once, by what was trained without it, with as many runs at a time as asked
// for.
func TestCrossValidate(t *testing.T) {
	fold := []int{2, 0, 1, 1, 0, 2, 2}
	for _, workers := range []int{0, 1, 2, 3, 100, math.MaxInt} {
		var now, most atomic.Int64
		got, err := solvers.CrossValidate(fold, func(train, test []int) (string, error) {
			for n := now.Add(1); ; {
				if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			defer now.Add(-1)
			return fmt.Sprint(train, test), nil
		}, workers)
		if want := []string{"[0 2 3 5 6] [1 4]", "[0 1 4 5 6] [2 3]", "[1 2 3 4] [0 5 6]"}; err != nil ||
			!slices.Equal(got, want) {
			t.Errorf("%d workers: %q, %v", workers, got, err)
		}
		if workers > 0 && most.Load() > int64(workers) {
			t.Errorf("%d at a time by %d workers", most.Load(), workers)
		}
	}
	if _, err := solvers.CrossValidate(fold, func(_, _ []int) (int, error) { return 0, nil }, -1); err == nil ||
		err.Error() != "solvers: -1 workers, want at least 0" {
		t.Errorf("-1 workers: %v", err)
	}
	if _, err := solvers.CrossValidate([]int{0, -1}, func(_, _ []int) (int, error) { return 0, nil }, 1); err == nil ||
		err.Error() != "solvers: fold -1 of row 1, want one in 0..1" {
		t.Errorf("fold -1: %v", err)
	}
	broken := errors.New("broken")
	got, err := solvers.CrossValidate(fold, func(_, test []int) (int, error) {
		if test[0] > 0 {
			return 0, fmt.Errorf("row %d: %w", test[0], broken)
		}
		return 1, nil
	}, 3)
	if got != nil || !errors.Is(err, broken) || err.Error() != "solvers: fold 0: row 1: broken" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestOutcome(t *testing.T) {
	near, far := solvers.Certificate{Primal: 1, Dual: .995}, solvers.Certificate{Primal: 1, Dual: .43}
	for _, c := range []struct {
		outcome solvers.Outcome
		want    string
	}{
		{solvers.Outcome{Status: solvers.Converged, Certificate: near, Tol: .01, Epochs: 31, ModelEpoch: 31},
			"converged after 31 epochs: primal 1, dual 0.995, relative gap 5.0e-03"},
		{solvers.Outcome{Status: solvers.EpochLimit, Certificate: near, Tol: .001, Epochs: 5, ModelEpoch: 5},
			"epoch limit after 5 epochs: primal 1, dual 0.995, relative gap 5.0e-03"},
		{solvers.Outcome{Status: solvers.EpochLimit, Certificate: far, Tol: .001, Epochs: 5, ModelEpoch: 5},
			"epoch limit after 5 epochs: primal 1, dual 0.43, relative gap 5.7e-01, far from the 1.0e-03 asked for: " +
				"if features differ much in size, scale them or use float64; otherwise allow more passes, or " +
				"regularize more"},
		{solvers.Outcome{Status: solvers.Stalled, Certificate: far, Tol: .001, Epochs: 5, ModelEpoch: 5},
			"stalled after 5 epochs: primal 1, dual 0.43, relative gap 5.7e-01, far from the 1.0e-03 asked for: if " +
				"features differ much in size, scale them or use float64; otherwise allow more passes, or " +
				"regularize more"},
		{solvers.Outcome{Status: solvers.Canceled, Certificate: far, Tol: .001, Epochs: 5, ModelEpoch: 5},
			"canceled after 5 epochs: primal 1, dual 0.43, relative gap 5.7e-01"},
		{solvers.Outcome{Status: solvers.Canceled, Certificate: far, Epochs: 5, ModelEpoch: 3},
			"canceled after 5 epochs: primal 1, dual 0.43, relative gap 5.7e-01 (of the model of epoch 3: no better " +
				"one was found)"},
		{solvers.Outcome{Status: solvers.Canceled, Certificate: far, Epochs: 5},
			"canceled after 5 epochs: primal 1, dual 0.43, relative gap 5.7e-01 (of the model that training started " +
				"from: no better one was found)"},
		{solvers.Outcome{Status: solvers.Stalled, Certificate: near, Tol: .01, Epochs: 5, ZeroModel: true},
			"stalled after 5 epochs: primal 1, dual 0.995, relative gap 5.0e-03 (all weights are 0, or the " +
				"prior's: no better model was found)"},
		{solvers.Outcome{Status: solvers.Stalled, Certificate: solvers.Certificate{Dual: -1e-16}, Tol: .01, Epochs: 5,
			ZeroModel: true},
			"stalled after 5 epochs: primal 0, dual -1e-16, relative gap 1.0e+00 (all weights are 0, or the prior's: " +
				"no better model was found): 0 is the optimum up to rounding, and relative to that no gap is small; " +
				"a kernel, or features that are not centred, have another optimum"},
	} {
		if got := c.outcome.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for s, want := range map[solvers.Status]string{solvers.Running: "running", -1: "Status(-1)", 5: "Status(5)"} {
		if s.String() != want {
			t.Errorf("%v, want %s", s, want)
		}
	}
}
