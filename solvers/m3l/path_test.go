package m3l

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestPath: points are in ascending order of C and take fewer visits than trainings alone; the measures are the Hamming
// loss, of positive scores, and of classes the accuracy besides. TestFamilyPath has the rest.
func TestPath(t *testing.T) {
	const n, m = 120, 5
	rng := rand.New(rand.NewPCG(61, 62))
	x, sets := documents[float64](rng, n, 8, m)
	y := make([]int, n)
	for i := range y {
		y[i] = i % m
	}
	for name, p := range map[string]Problem[float64]{
		"sets": {X: x, Sets: sets}, "sets with R": {X: x, Sets: sets, R: lowRank(rng, m, 4)}, "classes": {X: x, Y: y},
	} {
		// far below that the last visits take the most, by chance
		c := Config{C: 99, Tol: 1e-3, Epochs: 1 << 20, Seed: 3, Workers: 1, Labels: m} // C is not used
		path := PathConfig{Cs: []float64{.1, .01, .03}, CrossValidation: solvers.CrossValidation{Folds: 4}}
		points, err := p.Path(context.Background(), c, path)
		if err != nil || len(points) != 3 || !slices.Equal(path.Cs, []float64{.1, .01, .03}) {
			t.Fatal(name, points, err)
		}
		path.Measures = []solvers.Measure{
			{Name: "Hamming loss", Smaller: true, Of: func(s vec.Matrix[float64], rows []int) (float64, error) {
				wrong := 0
				for q, i := range rows {
					for l, v := range s.Row(q) {
						if has := p.Y != nil && y[i] == l || p.Y == nil && slices.Contains(sets[i], l); has != (v > 0) {
							wrong++
						}
					}
				}
				return float64(wrong) / float64(len(rows)*m), nil
			}},
			{Name: "accuracy", Of: func(s vec.Matrix[float64], rows []int) (float64, error) {
				right := 0
				for q, i := range rows {
					if vec.ArgMax(s.Row(q)) == y[i] {
						right++
					}
				}
				return float64(right) / float64(len(rows)), nil
			}},
		}
		if p.Y == nil {
			path.Measures = path.Measures[:1]
		}
		want, err := p.Path(context.Background(), c, path)
		if err != nil {
			t.Fatal(name, err)
		}
		saved := 0
		for k, cost := range []float64{.01, .03, .1} {
			c.C = cost
			if points[k].C != cost || !reflect.DeepEqual(points[k].Measures, want[k].Measures) {
				t.Errorf("%s, C %v: %v, %v, want %v", name, cost, points[k].C, points[k].Measures, want[k].Measures)
			}
			if k > 0 {
				saved += solve(t, p, c).Visits - points[k].Result.Visits
			}
		}
		if saved <= 0 {
			t.Errorf("%s: the path takes %d visits more than the trainings alone", name, -saved)
		}
	}
}

// TestPathErrors: what is wrong with a path shows before anything is trained.
func TestPathErrors(t *testing.T) {
	x, sets := documents[float64](rand.New(rand.NewPCG(65, 66)), 20, 3, 4)
	k := kernelOf[float64](t, x, kernel.Linear{})
	for want, call := range map[string]struct {
		p    Problem[float64]
		path PathConfig
	}{
		"m3l: C = -1, want a positive number": {Problem[float64]{X: x, Sets: sets},
			PathConfig{Cs: []float64{1, -1}}},
		"m3l: C = 0, want a positive number": {Problem[float64]{X: x, Sets: sets},
			PathConfig{Cs: []float64{1, 0}}},
		"m3l: C = NaN, want a positive number": {Problem[float64]{X: x, Sets: sets},
			PathConfig{Cs: []float64{1, math.NaN()}}},
		"1 folds of 20 examples": {Problem[float64]{X: x, Sets: sets},
			PathConfig{CrossValidation: solvers.CrossValidation{Folds: 1}}},
		"21 folds of 20 examples": {Problem[float64]{X: x, Sets: sets},
			PathConfig{CrossValidation: solvers.CrossValidation{Folds: 21}}},
		"-2 folds of 20 examples": {Problem[float64]{Kernel: k, Sets: sets},
			PathConfig{CrossValidation: solvers.CrossValidation{Folds: -2}}},
		"m3l: folds with a precomputed kernel": {Problem[float64]{Kernel: precomputed(t, k), Sets: sets},
			PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}}},
		"m3l: label -1 of row 0, want at least 0": {Problem[float64]{X: x, Sets: append([][]int{{-1}}, sets[1:]...)},
			PathConfig{Cs: []float64{}, CrossValidation: solvers.CrossValidation{Folds: 2}}},
		"m3l: a path of no points":           {Problem[float64]{X: x, Sets: sets}, PathConfig{Cs: []float64{}}},
		"m3l: no examples: want X or Kernel": {Problem[float64]{Sets: sets}, PathConfig{Cs: []float64{}}},
	} {
		c := Config{Progress: func(solvers.Progress) { t.Fatalf("%s: refused after training", want) }}
		points, err := call.p.Path(context.Background(), c, call.path)
		if contains(t, err, want); len(points) > 0 {
			t.Errorf("%s: %d points", want, len(points))
		}
	}
	points, err := Problem[float64]{X: x, Sets: sets}.Path(context.Background(), Config{Tol: .1}, PathConfig{})
	if err != nil || len(points) != 6 || points[0].C != 1e-3 || points[5].C != 100 || points[0].Measures != nil ||
		solvers.Best(points, 0) != -1 {
		t.Errorf("the default path: %v, %v", points, err)
	}
}
