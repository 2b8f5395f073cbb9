package m3l

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/metrics"
)

// TestPath: points are the optima with each C, in ascending order, and take fewer visits than trainings alone; measures
// of folds are the same for any number of workers.
func TestPath(t *testing.T) {
	const n, m = 120, 5
	rng := rand.New(rand.NewPCG(61, 62))
	x, sets := documents[float64](rng, n, 8, m)
	for name, p := range map[string]Problem[float64]{
		"linear": {X: x}, "linear with R": {X: x, R: lowRank(rng, m, 4)},
		"kernel": {Kernel: kernelOf[float64](t, x, kernel.Gaussian{Gamma: .1}), R: lowRank(rng, m, 8)},
	} {
		p.Sets = sets
		// far below that the last visits take the most, by chance
		c := Config{Tol: 1e-3, Epochs: 1 << 20, Seed: 3, Workers: 1}
		path := PathConfig{Cs: []float64{.1, .01, .03}, CrossValidation: solvers.CrossValidation{Folds: 4}}
		points, err := p.Path(context.Background(), c, path)
		if err != nil || len(points) != 3 || !slices.Equal(path.Cs, []float64{.1, .01, .03}) {
			t.Fatal(name, points, err)
		}
		saved := 0
		for q, want := range []float64{.01, .03, .1} {
			got := points[q]
			c.C = want
			honest(t, p, c, got.Result)
			cold := solve(t, p, c)
			agree(t, name, got.Result.Certificate, cold.Certificate)
			if got.C != want || got.Result.Status != solvers.Converged ||
				!(got.Measures[0].Mean > 0 && got.Measures[0].Mean < .5) ||
				!(got.Measures[0].Spread > 0 && got.Measures[0].Spread < .3) {
				t.Errorf("%s, C %v: %v", name, want, got)
			}
			if q > 0 {
				saved += cold.Visits - got.Result.Visits
			}
		}
		if saved <= 0 {
			t.Errorf("%s: the path takes %d visits more than the trainings alone", name, -saved)
		}
		c.C, c.Workers = 99, 4 // C is not used
		again, err := p.Path(context.Background(), c, path)
		if err != nil {
			t.Fatal(err)
		}
		for q, point := range points {
			if !reflect.DeepEqual(again[q].Measures, point.Measures) {
				t.Errorf("%s: %v with one worker, %v with four", name, point.Measures, again[q].Measures)
			}
		}
	}
}

// TestPathFolds: measures are what a loop over the folds finds, of sets and of classes.
func TestPathFolds(t *testing.T) {
	const n, m, folds = 60, 4, 3
	rng := rand.New(rand.NewPCG(63, 64))
	x, sets := documents[float64](rng, n, 6, m)
	y, r := make([]int, n), lowRank(rng, m, 8)
	for i := range y {
		y[i] = i % m
	}
	for name, p := range map[string]Problem[float64]{"sets": {X: x, Sets: sets, R: r}, "classes": {X: x, Y: y}} {
		c := Config{Tol: 1e-8, Epochs: 1 << 20, C: .05, Labels: m}
		points, err := p.Path(context.Background(), c,
			PathConfig{Cs: []float64{.05}, CrossValidation: solvers.CrossValidation{Folds: folds}})
		if err != nil {
			t.Fatal(name, err)
		}
		fold, err := solvers.Strata{Y: p.Y, Sets: p.Sets}.Folds(folds, 0)
		if err != nil {
			t.Fatal(err)
		}
		var losses []float64
		accuracy := 0.0
		for k := range folds {
			part := Problem[float64]{R: p.R}
			var rows, test []int
			var truth [][]int
			for i, g := range fold {
				set := sets[i]
				if p.Y != nil {
					set = y[i : i+1]
				}
				if g == k {
					test, truth = append(test, i), append(truth, set)
					continue
				}
				rows, part.Sets = append(rows, i), append(part.Sets, set)
			}
			part.X = design.Subset[float64](x, rows)
			model := solve(t, part, c)
			predicted, err := solvers.LabelSets(model, design.Subset[float64](x, test), 1)
			if err != nil {
				t.Fatal(err)
			}
			classes, err := solvers.Predict(model, design.Subset[float64](x, test), 1)
			if err != nil {
				t.Fatal(err)
			}
			for q, i := range test {
				if p.Y != nil && classes[q] == y[i] {
					accuracy += 1 / float64(len(test)*folds)
				}
			}
			loss, err := metrics.HammingLoss(predicted, truth, m)
			if err != nil {
				t.Fatal(err)
			}
			losses = append(losses, loss)
		}
		measures := points[0].Measures
		if p.Y != nil && !(math.Abs(measures[1].Mean-accuracy) <= 1e-12 && measures[1].Name == "accuracy") ||
			(len(measures) == 2) != (p.Y != nil) {
			t.Errorf("%s: accuracy %v, want %v", name, measures, accuracy)
		}
		mean, spread := 0.0, 0.0
		for _, v := range losses {
			mean += v / folds
		}
		for _, v := range losses {
			spread += (v - mean) * (v - mean) / folds
		}
		if spread = math.Sqrt(spread); math.Abs(measures[0].Mean-mean) > 1e-12 ||
			math.Abs(measures[0].Spread-spread) > 1e-7 || !measures[0].Smaller {
			t.Errorf("%s: %v, want %v ± %v of %v", name, measures, mean, spread, losses)
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
		"m3l: no examples: want X or Kernel": {Problem[float64]{Sets: sets}, PathConfig{Cs: []float64{}}},
	} {
		c := Config{Progress: func(solvers.Progress) { t.Fatalf("%s: refused after training", want) }}
		points, err := call.p.Path(context.Background(), c, call.path)
		if contains(t, err, want); len(points) > 0 {
			t.Errorf("%s: %d points", want, len(points))
		}
	}
	points, err := Problem[float64]{X: x, Sets: sets}.Path(context.Background(), Config{}, PathConfig{Cs: []float64{}})
	if err != nil || len(points) != 0 {
		t.Errorf("a path of no C: %v, %v", points, err)
	}
	points, err = Problem[float64]{X: x, Sets: sets}.Path(context.Background(), Config{Tol: .1}, PathConfig{})
	if err != nil || len(points) != 6 || points[0].C != 1e-3 || points[5].C != 100 || points[0].Measures != nil ||
		solvers.Best(points, 0) != -1 {
		t.Errorf("the default path: %v, %v", points, err)
	}
}
