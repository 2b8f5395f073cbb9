package m3l

import (
	"context"
	"errors"
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

// TestPathFolds: cross-validation is what a loop over the folds finds, for features and kernels, sets and classes, with
// weights and margins, which go with their examples.
func TestPathFolds(t *testing.T) {
	const n, m, folds = 60, 4, 3
	rng := rand.New(rand.NewPCG(63, 64))
	x, sets := documents[float64](rng, n, 6, m)
	y, weights := make([]int, n), make([]float64, n)
	for i := range y {
		y[i], weights[i] = i%m, float64(1+7*i%5)/2
	}
	f, r := design.Matrix[float64](x), lowRank(rng, m, 8)
	margins := func(i int, plus, minus []float64) {
		for l := range plus {
			plus[l], minus[l] = 0, float64(1+(i*i+l)%5)
		}
	}
	gaussian := kernel.Gaussian{Gamma: .1}
	for name, p := range map[string]Problem[float64]{
		"sets": {X: f, Sets: sets}, "classes": {X: f, Y: y}, "R": {X: f, Sets: sets, R: r},
		"weights": {X: f, Sets: sets, Weights: weights}, "margins": {X: f, Sets: sets, Margins: margins},
		"kernel":            {Kernel: kernelOf(t, f, gaussian), Sets: sets, R: r},
		"kernel of classes": {Kernel: kernelOf(t, f, gaussian), Y: y},
		"kernel with all":   {Kernel: kernelOf(t, f, gaussian), Sets: sets, R: r, Weights: weights, Margins: margins},
	} {
		c := Config{Tol: 1e-8, Epochs: 1 << 20, C: .05, Labels: m}
		points, err := p.Path(context.Background(), c,
			PathConfig{Cs: []float64{.05}, CrossValidation: solvers.CrossValidation{Folds: folds}})
		if err != nil {
			t.Fatal(name, err)
		}
		if p.Kernel == nil && p.R.Rows == 0 {
			honest(t, p, c, points[0].Result)
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
				if p.Weights != nil {
					part.Weights = append(part.Weights, weights[i])
				}
			}
			if p.Margins != nil {
				part.Margins = func(q int, plus, minus []float64) { margins(rows[q], plus, minus) }
			}
			if part.X = design.Subset(f, rows); p.Kernel != nil {
				part.X, part.Kernel = nil, kernelOf(t, design.Subset(f, rows), gaussian)
			}
			model := solve(t, part, c)
			predicted, err := solvers.LabelSets(model, design.Subset(f, test), 1)
			if err != nil {
				t.Fatal(err)
			}
			classes, err := solvers.Predict(model, design.Subset(f, test), 1)
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
		"m3l: C = -1, need a positive number": {Problem[float64]{X: x, Sets: sets},
			PathConfig{Cs: []float64{1, -1}}},
		"m3l: C = 0, need a positive number": {Problem[float64]{X: x, Sets: sets},
			PathConfig{Cs: []float64{1, 0}}},
		"m3l: C = NaN, need a positive number": {Problem[float64]{X: x, Sets: sets},
			PathConfig{Cs: []float64{1, math.NaN()}}},
		"1 folds of 20 examples": {Problem[float64]{X: x, Sets: sets},
			PathConfig{CrossValidation: solvers.CrossValidation{Folds: 1}}},
		"21 folds of 20 examples": {Problem[float64]{X: x, Sets: sets},
			PathConfig{CrossValidation: solvers.CrossValidation{Folds: 21}}},
		"-2 folds of 20 examples": {Problem[float64]{Kernel: k, Sets: sets},
			PathConfig{CrossValidation: solvers.CrossValidation{Folds: -2}}},
		"m3l: folds with a precomputed kernel": {Problem[float64]{Kernel: precomputed(t, k), Sets: sets},
			PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}}},
		"m3l: label -1 of row 0, need at least 0": {Problem[float64]{X: x, Sets: append([][]int{{-1}}, sets[1:]...)},
			PathConfig{Cs: []float64{}, CrossValidation: solvers.CrossValidation{Folds: 2}}},
		"m3l: no examples: need X or Kernel": {Problem[float64]{Sets: sets}, PathConfig{Cs: []float64{}}},
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

// TestPathKeepsPoints: what was reached when the context ends is returned with the error, with true certificates; folds
// that have not come to an end leave no losses.
func TestPathKeepsPoints(t *testing.T) {
	x, sets := documents[float64](rand.New(rand.NewPCG(71, 72)), 60, 6, 3)
	p := Problem[float64]{X: x, Sets: sets}
	for stop := range 4 {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		fresh, trainings := true, 0
		c := Config{Tol: 1e-6, Epochs: 1 << 20, Workers: 1}
		c.Progress = func(s solvers.Progress) {
			if fresh {
				trainings++
			}
			if fresh = s.Certified && s.RelativeGap() <= c.Tol; trainings == stop+1 && !(stop == 2 && !fresh) {
				cancel()
			}
		}
		points, err := p.Path(ctx, c, PathConfig{Cs: []float64{.01, .1, 1},
			CrossValidation: solvers.CrossValidation{Folds: 2 * (stop / 2)}})
		switch {
		case stop == 3: // nobody tells of the folds
			if err != nil || len(points) != 3 || points[0].Measures == nil {
				t.Errorf("%v, %v", points, err)
			}
			continue
		case stop == 2: // the last training has come to its end: the folds have not begun
			if !errors.Is(err, context.Canceled) || len(points) != 3 {
				t.Fatalf("%d points before the folds, %v", len(points), err)
			}
		case !errors.Is(err, context.Canceled) || len(points) != stop:
			t.Fatalf("%d points reached before training %d ends, %v", len(points), stop, err)
		}
		for _, point := range points {
			c.C = point.C
			honest(t, p, c, point.Result)
			if point.Result.Status != solvers.Converged || point.Measures != nil {
				t.Errorf("%v, %v", told(point.Result), point)
			}
		}
	}
}
