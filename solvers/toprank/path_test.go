package toprank

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// TestPath: points are in ascending order of C, and the measure is the precision at the recall of scores that are left
// out. TestFamilyPath has the rest.
func TestPath(t *testing.T) {
	for _, p := range some(90) {
		if p.K > 20 {
			continue // of 60 negative examples, 40 of which are in a part to train on
		}
		q, c := problemsOf[float64](t, linearOf(p))["dense"], configOf(p)
		c.C = 99 // not used
		path := PathConfig{Cs: []float64{1, .01}, CrossValidation: solvers.CrossValidation{Folds: 3}, Recall: .5}
		points, err := q.Path(context.Background(), c, path)
		if err != nil || len(points) != 2 || !slices.Equal(path.Cs, []float64{1, .01}) {
			t.Fatal(p.Name, points, err)
		}
		path.Measures = []solvers.Measure{{Name: "precision at recall 0.5",
			Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				var positive []bool
				for _, i := range rows {
					positive = append(positive, p.Positive[i])
				}
				precision, _, err := metrics.PrecisionAtRecall(scores.Data, positive, .5)
				return precision, err
			}}}
		want, err := q.Path(context.Background(), c, path)
		if err != nil {
			t.Fatal(p.Name, err)
		}
		for k, cost := range []float64{.01, 1} {
			if points[k].C != cost || !reflect.DeepEqual(points[k].Measures, want[k].Measures) {
				t.Errorf("%s, C %v: %v, %v, want %v", p.Name, cost, points[k].C, points[k].Measures, want[k].Measures)
			}
		}
	}
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
