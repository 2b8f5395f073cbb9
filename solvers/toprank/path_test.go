package toprank

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// TestPath: points are the optima with each C, in ascending order; precisions are those that a loop over the folds
// finds, the same for any number of workers.
func TestPath(t *testing.T) {
	const n, folds = 90, 3
	for _, p := range some(n) {
		if p.K > 20 {
			continue // of 60 negative examples, 40 of which are in a part to train on
		}
		for name, q := range problemsOf[float64](t, linearOf(p)) {
			if name == "precomputed" {
				continue
			}
			c := configOf(p)
			c.C, c.Tol, c.Seed, c.Workers = 99, 1e-6, 3, 1 // C is not used
			path := PathConfig{Cs: []float64{1, .01}, CrossValidation: solvers.CrossValidation{Folds: folds},
				Recall: .5}
			points, err := q.Path(context.Background(), c, path)
			if err != nil || len(points) != 2 || !slices.Equal(path.Cs, []float64{1, .01}) {
				t.Fatal(p.Name, name, points, err)
			}
			c.Workers = 4
			again, err := q.Path(context.Background(), c, path)
			if err != nil {
				t.Fatal(err)
			}
			y := make([]int, n)
			for i, positive := range p.Positive {
				if positive {
					y[i] = 1
				}
			}
			fold, err := solvers.Folds(y, n, folds, c.Seed)
			if err != nil {
				t.Fatal(err)
			}
			for k, weight := range []float64{.01, 1} {
				got, truth := points[k], linearOf(p)
				truth.C, c.C, c.Workers = weight, weight, 1
				honest(t, truth, q, got.Result)
				if got.C != weight || got.Result.Status != solvers.Converged {
					t.Errorf("%s, %s, C %v: %s", p.Name, name, got.C, told(got.Result))
				}
				if !reflect.DeepEqual(again[k].Measures, got.Measures) {
					t.Errorf("%s, %s: %v with one worker, %v with four", p.Name, name, got.Measures, again[k].Measures)
				}
			}
			precisions := [2]float64{}
			for f := range folds {
				for k, v := range leftOut(t, q, c, fold, f, path.Recall) {
					precisions[k] += v / folds
				}
			}
			for k, point := range points {
				if math.Abs(point.Measures[0].Mean-precisions[k]) > 1e-15 { // a mean of three
					t.Errorf("%s, %s, C %v: precision %v, by a loop %v",
						p.Name, name, point.C, point.Measures, precisions[k])
				}
			}
		}
	}
}

// leftOut trains without fold f, with C = .01 and from there with 1, and measures the precisions on it.
func leftOut(t *testing.T, q Problem[float64], c Config, fold []int, f int, recall float64) (precisions [2]float64) {
	t.Helper()
	var train, test []int
	var part Problem[float64]
	var positive []bool
	for i, g := range fold {
		if g == f {
			test, positive = append(test, i), append(positive, q.Positive[i])
		} else {
			train, part.Positive = append(train, i), append(part.Positive, q.Positive[i])
		}
	}
	x := q.X
	if q.Kernel != nil {
		x = q.Kernel.Features()
		var err error
		if part.Kernel, err = q.Kernel.Subset(train); err != nil {
			t.Fatal(err)
		}
	} else {
		part.X = design.Subset(x, train)
	}
	for k := range precisions {
		c.C = []float64{.01, 1}[k]
		part.Start = solve(t, part, c)
		scores := vec.NewMatrix[float64](len(test), 1)
		err := part.Start.Scores(scores, x, test)
		if err == nil {
			precisions[k], _, err = metrics.PrecisionAtRecall(scores.Data, positive, recall)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return precisions
}

// TestPathErrors: what is wrong with a path shows before anything is trained, with its numbers.
func TestPathErrors(t *testing.T) {
	p := some(12)[0]
	forms := problemsOf[float64](t, linearOf(p))
	for _, e := range []struct {
		form string
		path PathConfig
		want string
	}{
		{"dense", PathConfig{Cs: []float64{0, 1}}, "toprank: C = 0"},
		{"dense", PathConfig{Cs: []float64{1, -1}}, "toprank: C = -1"},
		{"dense", PathConfig{Cs: []float64{1, math.NaN()}}, "toprank: C = NaN"},
		{"dense", PathConfig{Recall: 1.5}, "toprank: Recall = 1.5"},
		{"dense", PathConfig{Recall: -.5}, "toprank: Recall = -0.5"},
		{"dense", PathConfig{Recall: math.NaN()}, "toprank: Recall = NaN"},
		{"dense", PathConfig{CrossValidation: solvers.CrossValidation{Folds: 5}},
			"toprank: Folds = 5, but 4 positive examples"},
		{"dense", PathConfig{CrossValidation: solvers.CrossValidation{Folds: 1}}, "1 folds of 12 examples"},
		{"dense", PathConfig{CrossValidation: solvers.CrossValidation{Folds: -1}}, "-1 folds of 12 examples"},
		{"precomputed", PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}},
			"folds with a precomputed kernel"},
	} {
		trained := false
		c := Config{Progress: func(solvers.Progress) { trained = true }}
		points, err := forms[e.form].Path(context.Background(), c, e.path)
		if contains(t, err, "toprank: ", e.want); len(points) > 0 || trained {
			t.Errorf("%s: %d points, trained: %t", e.want, len(points), trained)
		}
	}
	points, err := forms["dense"].Path(statetest.Soon(8), Config{Tol: 1e-6}, PathConfig{})
	if !errors.Is(err, context.Canceled) || len(points) == 5 {
		t.Errorf("a path that is stopped: %d points, %v", len(points), err)
	}
}
