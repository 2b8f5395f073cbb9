package topk

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

func TestPath(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(61, 62)), 150, 8, 5)
	f := design.Matrix[float64](x)
	c := Config{K: 2, Tol: 1e-6, Epochs: 1 << 20, Seed: 3, Workers: 1}
	p := PathConfig{Lambdas: []float64{.001, .1, .01}, CrossValidation: solvers.CrossValidation{Folds: 4}, Tops: 3}
	points, err := Problem[float64]{X: f, Y: y}.Path(context.Background(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for l, want := range []float64{.1, .01, .001} {
		got := points[l]
		c.Lambda = want
		cold := converge(t, f, y, c, c.Tol)
		if got.Lambda != want || got.Result.Status != solvers.Converged ||
			math.Abs(got.Result.Certificate.Primal-cold.Certificate.Primal) > c.Tol*cold.Certificate.Primal {
			t.Errorf("lambda %v: %v %v, alone %v", got.Lambda, got.Result.Status, got.Result.Certificate,
				cold.Certificate)
		}
		if a := got.Measures; len(a) != 3 || a[0].Mean > a[1].Mean || a[1].Mean > a[2].Mean || a[0].Mean < .3 ||
			a[2].Mean > 1 ||
			a[0].Name != "accuracy" || a[2].Name != "top-3 accuracy" || len(a[1].Folds) != 4 || got.Order != l {
			t.Errorf("lambda %v: %+v", got.Lambda, got.Validation)
		}
		if l > 0 {
			total += cold.Visits - got.Result.Visits
		}
	}
	if total <= 0 {
		t.Errorf("the path takes %d visits more than the trainings alone", -total)
	}
	top2 := func(p int) float64 { return points[p].Measures[1].Mean }
	if best := solvers.Best(points, 1); top2(best) < max(top2(0), top2(1), top2(2)) {
		t.Errorf("best: %d of %v", best, points)
	}
	// As many workers as folds: the same accuracies.
	c.Workers = 4
	again, err := Problem[float64]{X: f, Y: y}.Path(context.Background(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	for l := range points {
		if !reflect.DeepEqual(points[l].Measures, again[l].Measures) {
			t.Errorf("%v with one worker, %v with four", points[l].Measures, again[l].Measures)
		}
	}
}

// Cross-validation is what a loop over the folds finds.
func TestPathFolds(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(63, 64)), 60, 6, 3)
	f := design.Matrix[float64](x)
	c := Config{Lambda: .05, Tol: 1e-8, Epochs: 1 << 20}
	points, err := Problem[float64]{X: f, Y: y}.Path(context.Background(), c, PathConfig{Lambdas: []float64{.05},
		CrossValidation: solvers.CrossValidation{Folds: 3}})
	if err != nil {
		t.Fatal(err)
	}
	fold, err := solvers.Folds(y, 60, 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for k := range 3 {
		count := [3]int{}
		var rows, classes []int
		for i := range y {
			if fold[i] != k {
				rows, classes = append(rows, i), append(classes, y[i])
			} else {
				count[y[i]]++
			}
		}
		if slices.Max(count[:])-slices.Min(count[:]) > 1 {
			t.Errorf("fold %d has %v of the classes", k, count)
		}
		r := converge(t, design.Subset(f, rows), classes, c, 1e-8)
		for i := range y {
			if fold[i] == k && r.Linear.Predict(x.Row(i)) == y[i] {
				right++
			}
		}
	}
	if want := float64(right) / 60; math.Abs(points[0].Measures[0].Mean-want) > 1e-12 {
		t.Errorf("%v, want %v", points[0].Measures, want)
	}
}

func TestPathErrors(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(65, 66)), 20, 3, 4)
	f := design.Matrix[float64](x)
	for want, p := range map[string]PathConfig{
		"Lambda = -1, want a positive number": {Lambdas: []float64{1, -1}},
		"1 folds of 20 examples":              {CrossValidation: solvers.CrossValidation{Folds: 1}},
		"21 folds of 20 examples":             {CrossValidation: solvers.CrossValidation{Folds: 21}},
		"top-9 accuracy of 4 classes":         {Tops: 9},
	} {
		points, err := Problem[float64]{X: f, Y: y}.Path(context.Background(), Config{}, p)
		if points != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	k, all, values := matrix(t, f, kernel.Linear{}, 0), make([]int, 20), vec.NewMatrix[float64](20, 20)
	for i := range all {
		all[i] = i
	}
	k.Rows(values, all, 1)
	given, err := kernel.Precomputed(values)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Problem[float64]{Kernel: given, Y: y}.Path(context.Background(), Config{},
		PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}})
	familytest.Contains(t, err, "topk: folds with a precomputed kernel")
}

// TestPathOfOthers: a path needs no features, nor classes: the points are the optima with each Lambda.
func TestPathOfOthers(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(69, 70)), 60, 6, 3)
	f := design.Matrix[float64](x)
	for name, p := range map[string]Problem[float64]{
		"kernel": {Kernel: matrix(t, f, kernel.Gaussian{Gamma: .1}, 1<<20), Y: y},
		"sets":   {X: f, Sets: labelSets(rand.New(rand.NewPCG(1, 1)), y, 3)},
	} {
		c := Config{Tol: 1e-6, Epochs: 1 << 20}
		points, err := p.Path(context.Background(), c, PathConfig{Lambdas: []float64{.01, .1}})
		if err != nil || len(points) != 2 || points[0].Lambda != .1 || points[0].Measures != nil ||
			solvers.Best(points, 0) != -1 {
			t.Fatal(name, points, err)
		}
		for _, point := range points {
			c.Lambda = point.Lambda
			honest(t, p, c, point.Result)
			if want := solve(t, p, c).Certificate; math.Abs(
				point.Result.Certificate.Primal-want.Primal) > c.Tol*want.Primal {
				t.Errorf("%s, lambda %v: %v, alone %v", name, point.Lambda, point.Result.Certificate, want)
			}
		}
		p.Start = points[1].Result
		again, err := p.Path(context.Background(), c, PathConfig{Lambdas: []float64{.01}})
		if err != nil || again[0].Result.Visits > 60 {
			t.Errorf("%s: from the solution %v, %v", name, told(again[0].Result), err)
		}
		if name == "sets" {
			_, err = p.Path(context.Background(), c, PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}})
			familytest.Contains(t, err, "topk: folds with sets of classes")
		}
	}
}
