package crossval_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// path runs a family's path of three points.
type path func(cv solvers.CrossValidation) (points any, err error)

// found returns what the path has found of each point, and whether there are results.
func (p path) found(cv solvers.CrossValidation) (all []solvers.Validation, trained bool, err error) {
	points, err := p(cv)
	for v, k := reflect.ValueOf(points), 0; k < v.Len(); k++ {
		all = append(all, v.Index(k).FieldByName("Validation").Interface().(solvers.Validation))
		trained = !v.Index(k).FieldByName("Result").IsNil()
	}
	return all, trained, err
}

// three are the costs of paths of three points.
var three = []float64{.1, 1, 10}

// families are the paths of all families on examples x of the classes 0 and 1, with these costs or as many other
// weights.
func families(t *testing.T, x *dataset.Dense[float64], y []int, costs []float64) map[string]path {
	k := familytest.Kernel[float64](t, x, kernel.Linear{})
	b, err := bundle.New(1<<24, bundle.Group[float64]{X: x, Kernels: []kernel.Kernel{kernel.Linear{},
		kernel.Gaussian{Gamma: .1}}})
	if err != nil {
		t.Fatal(err)
	}
	positive, sets := make([]bool, len(y)), make([][]int, len(y))
	for i, c := range y {
		positive[i], sets[i] = c == 1, []int{c}
	}
	lambdas, second, ctx := []float64{}, []float64{}, context.Background()
	for _, c := range costs {
		lambdas, second = append(lambdas, 1/(c*float64(len(y)))), append(second, 1e-3/c)
	}
	ofTopK := func(p topk.Problem[float64]) path {
		return func(cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, topk.Config{}, topk.PathConfig{Lambdas: lambdas, CrossValidation: cv})
		}
	}
	ofM3L := func(p m3l.Problem[float64]) path {
		return func(cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, m3l.Config{}, m3l.PathConfig{Cs: costs, CrossValidation: cv})
		}
	}
	return map[string]path{
		"topk":         ofTopK(topk.Problem[float64]{X: x, Y: y}),
		"topk, kernel": ofTopK(topk.Problem[float64]{Kernel: k, Y: y}),
		"m3l":          ofM3L(m3l.Problem[float64]{X: x, Y: y}),
		"m3l, sets":    ofM3L(m3l.Problem[float64]{X: x, Sets: sets}),
		"toprank": func(cv solvers.CrossValidation) (any, error) {
			return toprank.Problem[float64]{X: x, Positive: positive}.Path(ctx, toprank.Config{K: 5},
				toprank.PathConfig{Cs: costs, CrossValidation: cv})
		},
		"tracenorm": func(cv solvers.CrossValidation) (any, error) {
			return tracenorm.Problem[float64]{X: x, Y: y}.Path(ctx, tracenorm.Config{}, tracenorm.PathConfig{
				Lambda1s: []float64{1e-3}, Lambda2s: second, CrossValidation: cv})
		},
		"mkl": func(cv solvers.CrossValidation) (any, error) {
			return mkl.Problem[float64]{Bundle: b, Y: y}.Path(ctx, mkl.Config{},
				mkl.PathConfig{Cs: costs, CrossValidation: cv})
		},
		"l1": func(cv solvers.CrossValidation) (any, error) {
			return l1.Problem[float64]{X: x, Y: y}.Path(ctx, l1.Config{}, l1.PathConfig{Cs: costs, CrossValidation: cv})
		},
		"svm": func(cv solvers.CrossValidation) (any, error) {
			return svm.Problem[float64]{X: x, Y: y}.Path(ctx, svm.Config{}, svm.PathConfig{Cs: costs,
				CrossValidation: cv})
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
	for name, path := range families(t, x, y, three) {
		for _, measure := range [][]solvers.Measure{nil, {ordered(y)}} {
			if name == "toprank" && measure == nil {
				continue // a precision at the top of 6 positive examples, which is no share of 60
			}
			cv := solvers.CrossValidation{Folds: 5, Measures: measure, FoldsOnly: true}
			leaked, _, err := path.found(cv)
			if err != nil {
				t.Fatal(name, err)
			}
			cv.Groups = groups
			apart, trained, err := path.found(cv)
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
	for name, path := range families(t, x, y, three) {
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
		want, trained, err := path.found(solvers.CrossValidation{Folds: 3})
		if err != nil || !trained {
			t.Fatal(name, trained, err)
		}
		got, _, err := path.found(solvers.CrossValidation{Fold: fold})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
		got, _, err = path.found(solvers.CrossValidation{Fold: fold[1:]})
		if family, _, _ := strings.Cut(name, ","); err == nil ||
			err.Error() != fmt.Sprintf("%s: Fold of 59 examples, but there are 60", family) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestPoints: of a path the places that are asked for alone are trained, in every family, and scores of all examples
// are kept.
func TestPoints(t *testing.T) {
	x, y, _ := copies(20, 3)
	for name, p := range families(t, x, y, three) {
		all, err := p(solvers.CrossValidation{})
		if err != nil {
			t.Fatal(name, err)
		}
		held := solvers.NewHeldOut(len(y))
		one, err := p(solvers.CrossValidation{Points: []int{1}, Folds: 3, FoldsOnly: true,
			Measures: []solvers.Measure{held.Measure()}})
		if err != nil {
			t.Fatal(name, err)
		}
		scores, err := held.Scores()
		if err != nil || scores.Rows != len(y) || reflect.ValueOf(one).Len() != 1 {
			t.Fatalf("%s: %d rows of scores, %v; points %v", name, scores.Rows, err, one)
		}
		got, want := reflect.ValueOf(one).Index(0), reflect.ValueOf(all).Index(1)
		for k := range got.NumField() {
			if f := got.Type().Field(k); f.Name != "Validation" && f.Name != "Result" &&
				got.Field(k).Interface() != want.Field(k).Interface() {
				t.Errorf("%s: %s is %v, want %v", name, f.Name, got.Field(k), want.Field(k))
			}
		}
		for _, wrong := range [][]int{{3}, {-1}, {1, 1}, {2, 0}} {
			if points, err := p(solvers.CrossValidation{Points: wrong}); err == nil ||
				!strings.Contains(err.Error(), "of a path of 3 points") {
				t.Errorf("%s: points %v: %v, %v", name, wrong, points, err)
			}
		}
	}
}

// TestNoPoints: a grid that is given and empty is refused, in every family.
func TestNoPoints(t *testing.T) {
	x, y, _ := copies(20, 3)
	for name, p := range families(t, x, y, []float64{}) {
		if points, err := p(solvers.CrossValidation{}); err == nil || !strings.Contains(err.Error(), "at least") {
			t.Errorf("%s: %v, %v", name, points, err)
		}
	}
}

// TestHeldOut: the scores that a path keeps are the scores of trainings on the other parts, which the test runs itself.
func TestHeldOut(t *testing.T) {
	x, y, _ := copies(20, 3)
	fold := make([]int, len(y))
	for i := range fold {
		fold[i] = i % 3
	}
	ctx, c, held := context.Background(), topk.Config{Tol: 1e-10}, solvers.NewHeldOut(len(y))
	cv := solvers.CrossValidation{Fold: fold, FoldsOnly: true, Measures: []solvers.Measure{held.Measure()}}
	if _, err := held.Scores(); err == nil {
		t.Error("scores before the path")
	}
	if _, err := (topk.Problem[float64]{X: x, Y: y}).Path(ctx, c, topk.PathConfig{Lambdas: []float64{.1},
		CrossValidation: cv}); err != nil {
		t.Fatal(err)
	}
	scores, err := held.Scores()
	if err != nil {
		t.Fatal(err)
	}
	_, err = solvers.CrossValidate(fold, func(train, test []int) (none struct{}, err error) {
		c := c
		c.Lambda = .1
		some := make([]int, len(train))
		for p, i := range train {
			some[p] = y[i]
		}
		r, err := topk.Fit(ctx, design.Subset(x, train), some, c)
		if err != nil {
			return none, err
		}
		got := vec.NewMatrix[float64](len(test), 2)
		if err := r.Scores(got, x, test); err != nil {
			return none, err
		}
		for p, i := range test {
			for l, v := range got.Row(p) {
				// |w - w*|² <= 2 gap / lambda for each model, gap <= 1e-10 P <= 1e-10, and |x| < 20
				if math.Abs(v-scores.Row(i)[l]) > 2*20*math.Sqrt(2*1e-10*10/.1) {
					return none, fmt.Errorf("row %d: score %v, want %v", i, scores.Row(i)[l], v)
				}
			}
		}
		return none, nil
	}, 1)
	if err != nil {
		t.Error(err)
	}
}
