package crossval_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// path runs a family's path of three points and returns what it found of each, and whether there are results.
type path func(ctx context.Context, cv solvers.CrossValidation, checkpoint solvers.Checkpoint) ([]solvers.Validation,
	bool, error)

// families are the paths of all families on examples x of the classes 0 and 1.
func families(t *testing.T, x *dataset.Dense[float64], y []int) map[string]path {
	k, err := kernel.New[float64](x, kernel.Linear{}, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.New(1<<24, bundle.Group[float64]{X: x, Kernels: []kernel.Kernel{kernel.Linear{},
		kernel.Gaussian{Gamma: .1}}})
	if err != nil {
		t.Fatal(err)
	}
	positive, sets := make([]bool, len(y)), make([][]int, len(y))
	for i, c := range y {
		positive[i], sets[i] = c == 1, []int{c}
	}
	n := float64(len(y))
	return map[string]path{
		"topk": func(ctx context.Context, cv solvers.CrossValidation,
			checkpoint solvers.Checkpoint) (all []solvers.Validation, trained bool, err error) {
			points, err := topk.Problem[float64]{X: x, Y: y}.Path(ctx, topk.Config{Checkpoint: checkpoint},
				topk.PathConfig{Lambdas: []float64{10 / n, 1 / n, .1 / n}, CrossValidation: cv})
			for _, p := range points {
				all, trained = append(all, p.Validation), p.Result != nil
			}
			return all, trained, err
		},
		"topk, kernel": func(ctx context.Context, cv solvers.CrossValidation,
			checkpoint solvers.Checkpoint) (all []solvers.Validation, trained bool, err error) {
			points, err := topk.Problem[float64]{Kernel: k, Y: y}.Path(ctx, topk.Config{Checkpoint: checkpoint},
				topk.PathConfig{Lambdas: []float64{10 / n, 1 / n, .1 / n}, CrossValidation: cv})
			for _, p := range points {
				all, trained = append(all, p.Validation), p.Result != nil
			}
			return all, trained, err
		},
		"m3l": func(ctx context.Context, cv solvers.CrossValidation,
			checkpoint solvers.Checkpoint) (all []solvers.Validation, trained bool, err error) {
			points, err := m3l.Problem[float64]{X: x, Y: y}.Path(ctx, m3l.Config{Checkpoint: checkpoint},
				m3l.PathConfig{Cs: []float64{.1, 1, 10}, CrossValidation: cv})
			for _, p := range points {
				all, trained = append(all, p.Validation), p.Result != nil
			}
			return all, trained, err
		},
		"m3l, sets": func(ctx context.Context, cv solvers.CrossValidation,
			checkpoint solvers.Checkpoint) (all []solvers.Validation, trained bool, err error) {
			points, err := m3l.Problem[float64]{X: x, Sets: sets}.Path(ctx, m3l.Config{Checkpoint: checkpoint},
				m3l.PathConfig{Cs: []float64{.1, 1, 10}, CrossValidation: cv})
			for _, p := range points {
				all, trained = append(all, p.Validation), p.Result != nil
			}
			return all, trained, err
		},
		"toprank": func(ctx context.Context, cv solvers.CrossValidation,
			checkpoint solvers.Checkpoint) (all []solvers.Validation, trained bool, err error) {
			points, err := toprank.Problem[float64]{X: x, Positive: positive}.Path(
				ctx, toprank.Config{K: 5, Checkpoint: checkpoint},
				toprank.PathConfig{Cs: []float64{.1, 1, 10}, CrossValidation: cv})
			for _, p := range points {
				all, trained = append(all, p.Validation), p.Result != nil
			}
			return all, trained, err
		},
		"tracenorm": func(ctx context.Context, cv solvers.CrossValidation,
			checkpoint solvers.Checkpoint) (all []solvers.Validation, trained bool, err error) {
			points, err := tracenorm.Problem[float64]{X: x, Y: y}.Path(ctx, tracenorm.Config{Checkpoint: checkpoint},
				tracenorm.PathConfig{Lambda1s: []float64{1e-3}, Lambda2s: []float64{1e-2, 1e-3, 1e-4},
					CrossValidation: cv})
			for _, p := range points {
				all, trained = append(all, p.Validation), p.Result != nil
			}
			return all, trained, err
		},
		"mkl": func(ctx context.Context, cv solvers.CrossValidation,
			checkpoint solvers.Checkpoint) (all []solvers.Validation, trained bool, err error) {
			points, err := mkl.Problem[float64]{Bundle: b, Y: y}.Path(ctx, mkl.Config{Checkpoint: checkpoint},
				mkl.PathConfig{Cs: []float64{.1, 1, 10}, CrossValidation: cv})
			for _, p := range points {
				all, trained = append(all, p.Validation), p.Result != nil
			}
			return all, trained, err
		},
	}
}

// copies returns groups of equal examples, each group with a class that has nothing to do with them.
func copies(groups, each int) (x *dataset.Dense[float64], y, group []int) {
	const d = 80 // more than groups: a linear model can know them all by heart
	rng := rand.New(rand.NewPCG(1, 2))
	m := vec.NewMatrix[float64](groups*each, d)
	for i := range m.Rows {
		g := i % groups
		group, y = append(group, g), append(y, g%2)
		for j := range d {
			if m.Row(i)[j] = rng.NormFloat64(); i >= groups {
				m.Row(i)[j] = m.Row(g)[j]
			}
		}
	}
	return &dataset.Dense[float64]{Matrix: m}, y, group
}

// ordered is the part of the pairs of an example of class 1 and one of class 0 that a model has in this order.
func ordered(y []int) solvers.Measure {
	return solvers.Measure{Name: "ordered pairs", Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
		of, positive := make([]float64, len(rows)), make([]bool, len(rows))
		for p, i := range rows {
			of[p], positive[p] = scores.Row(p)[scores.Cols-1], y[i] == 1
			if scores.Cols == 2 {
				of[p] -= scores.Row(p)[0]
			}
		}
		curve, err := metrics.ROC(of, positive)
		if err != nil {
			return 0, err
		}
		return curve.Area, nil
	}}
}

// TestCopies: of 60 groups of 5 equal examples with random labels nothing can be learned of a group that is left out.
// Where copies are on both sides all is known.
func TestCopies(t *testing.T) {
	x, y, groups := copies(60, 5)
	// Of 60 random answers as many right ones are beyond this in one of 10000 cases at most (Hoeffding).
	beyond := math.Sqrt(math.Log(1e4) / (2 * 60))
	for name, path := range families(t, x, y) {
		for _, measure := range [][]solvers.Measure{nil, {ordered(y)}} {
			if name == "toprank" && measure == nil {
				continue // a precision at the top of 6 positive examples, which is no share of 60
			}
			cv := solvers.CrossValidation{Folds: 5, Measures: measure, FoldsOnly: true}
			leaked, _, err := path(context.Background(), cv, solvers.Checkpoint{})
			if err != nil {
				t.Fatal(name, err)
			}
			cv.Groups = groups
			apart, trained, err := path(context.Background(), cv, solvers.Checkpoint{})
			if err != nil || trained {
				t.Fatal(name, trained, err)
			}
			for p := range apart {
				all, none := leaked[p].Measures[0], apart[p].Measures[0]
				if all.Smaller {
					all.Mean, none.Mean = 1-all.Mean, 1-none.Mean
				}
				if all.Mean < .99 || math.Abs(none.Mean-.5) > beyond {
					t.Errorf("%s, point %d, %s: %.3f with copies on both sides, %.3f without", name, p, all.Name,
						all.Mean, none.Mean)
				}
			}
		}
	}
}

// TestOwnFolds: parts of the caller's own are those that a family would draw.
func TestOwnFolds(t *testing.T) {
	x, y, _ := copies(30, 2)
	for name, path := range families(t, x, y) {
		by := solvers.Strata{Y: y}
		if strings.HasSuffix(name, "sets") {
			by = solvers.Strata{}
			for _, c := range y {
				by.Sets = append(by.Sets, []int{c})
			}
		}
		fold, err := by.Folds(3, 0)
		if err != nil {
			t.Fatal(err)
		}
		want, trained, err := path(context.Background(), solvers.CrossValidation{Folds: 3}, solvers.Checkpoint{})
		if err != nil || !trained {
			t.Fatal(name, trained, err)
		}
		got, _, err := path(context.Background(), solvers.CrossValidation{Fold: fold}, solvers.Checkpoint{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
		got, _, err = path(context.Background(), solvers.CrossValidation{Fold: fold[1:]}, solvers.Checkpoint{})
		if family, _, _ := strings.Cut(name, ","); err == nil ||
			err.Error() != fmt.Sprintf("%s: Fold of 59 examples, but there are 60", family) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestFamiliesResume: a path that was interrupted goes on to the same measures in every family, on any number of
// workers; a state of other data or another configuration is refused.
func TestFamiliesResume(t *testing.T) {
	x, y, groups := copies(30, 2)
	others, _, _ := copies(30, 2)
	others.Data[7]++
	other := families(t, others, y)
	for name, path := range families(t, x, y) {
		cv := solvers.CrossValidation{Folds: 3, Groups: groups, FoldsOnly: true}
		want, _, err := path(context.Background(), cv, solvers.Checkpoint{})
		if err != nil {
			t.Fatal(name, err)
		}
		asked := statetest.Soon(1 << 60)
		if _, _, err := path(asked, cv, solvers.Checkpoint{}); err != nil {
			t.Fatal(name, err)
		}
		questions := 1<<60 - asked.Left()
		for _, part := range []int64{0, 1, 2, 3} {
			var state bytes.Buffer
			checkpoint := solvers.Checkpoint{Save: func(write func(io.Writer) error) error {
				state.Reset()
				return write(&state)
			}}
			if _, _, err := path(statetest.Soon(questions*part/4), cv, checkpoint); !errors.Is(err, context.Canceled) {
				t.Fatal(name, err)
			}
			again, first := cv, -1
			again.State = bytes.NewReader(state.Bytes())
			again.Trained = func(p solvers.PathProgress) {
				if first < 0 {
					first = p.Done
				}
			}
			got, _, err := path(context.Background(), again, solvers.Checkpoint{})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, stopped after %d/4: %v, %v, want %v", name, part, got, err, want)
			}
			// In between it depends on which of the trainings, side by side, has looked more often.
			if part == 0 && first != 0 || part == 3 && first == 0 {
				t.Errorf("%s, stopped after %d/4: %d trainings are known", name, part, first)
			}
			again.State = bytes.NewReader(state.Bytes())
			if _, _, err := other[name](context.Background(), again, solvers.Checkpoint{}); !errors.Is(
				err, solvers.ErrOtherState) {
				t.Errorf("%s, of other data: %v", name, err)
			}
			again.State, again.Folds = bytes.NewReader(state.Bytes()), 2
			if _, _, err := path(context.Background(), again, solvers.Checkpoint{}); !errors.Is(
				err, solvers.ErrOtherState) {
				t.Errorf("%s, of other folds: %v", name, err)
			}
		}
	}
}

// TestFamiliesEndAnywhere: wherever the context of a path ends, in every family, a state is saved from which the path
// goes on to the same measures.
func TestFamiliesEndAnywhere(t *testing.T) {
	x, y, groups := copies(30, 2)
	for name, path := range families(t, x, y) {
		statetest.Anywhere(t, name, 8, func(ctx context.Context, stop statetest.Stop) (string, *solvers.Outcome,
			error) {
			cv := solvers.CrossValidation{Folds: 3, Groups: groups, FoldsOnly: true, State: stop.State}
			all, _, err := path(ctx, cv, stop.Checkpoint)
			return fmt.Sprint(all), &solvers.Outcome{}, err
		})
	}
}
