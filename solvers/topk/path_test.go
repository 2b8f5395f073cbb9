package topk

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

func TestPath(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(61, 62)), 150, 8, 5)
	f := solvers.Features[float64](x)
	c := Config{K: 2, Tol: 1e-6, Epochs: 1 << 20, Seed: 3, Workers: 1}
	p := PathConfig{Lambdas: []float64{.001, .1, .01}, Folds: 4, Tops: 3}
	points, err := Problem[float64]{X: f, Y: y}.Path(context.Background(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for l, want := range []float64{.1, .01, .001} {
		got := points[l]
		c.Lambda = want
		cold := converge(t, f, y, c, c.Tol)
		if got.Lambda != want || got.Result.Status != solvers.Converged || math.Abs(got.Result.Certificate.Primal-cold.Certificate.Primal) > c.Tol*cold.Certificate.Primal {
			t.Errorf("lambda %v: %v %v, alone %v", got.Lambda, got.Result.Status, got.Result.Certificate, cold.Certificate)
		}
		if len(got.Accuracy) != 3 || !slices.IsSorted(got.Accuracy) || got.Accuracy[0] < .3 || got.Accuracy[2] > 1 || len(got.Spread) != 3 {
			t.Errorf("lambda %v: accuracies %v, spread %v", got.Lambda, got.Accuracy, got.Spread)
		}
		if l > 0 {
			total += cold.Visits - got.Result.Visits
		}
	}
	if total <= 0 {
		t.Errorf("the path takes %d visits more than the trainings alone", -total)
	}
	if best := Best(points, 2); points[best].Accuracy[1] < max(points[0].Accuracy[1], points[1].Accuracy[1], points[2].Accuracy[1]) {
		t.Errorf("best: %d of %v", best, points)
	}
	// As many workers as folds: the same accuracies.
	c.Workers = 4
	again, err := Problem[float64]{X: f, Y: y}.Path(context.Background(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	for l := range points {
		if !slices.Equal(points[l].Accuracy, again[l].Accuracy) {
			t.Errorf("%v with one worker, %v with four", points[l].Accuracy, again[l].Accuracy)
		}
	}
}

// Cross-validation is what a loop over the folds finds.
func TestPathFolds(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(63, 64)), 60, 6, 3)
	f := solvers.Features[float64](x)
	c := Config{Lambda: .05, Tol: 1e-8, Epochs: 1 << 20}
	points, err := Problem[float64]{X: f, Y: y}.Path(context.Background(), c, PathConfig{Lambdas: []float64{.05}, Folds: 3})
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
		r := converge(t, solvers.Subset(f, rows), classes, c, 1e-8)
		for i := range y {
			if fold[i] == k && r.Linear.Predict(x.Row(i)) == y[i] {
				right++
			}
		}
	}
	if want := float64(right) / 60; math.Abs(points[0].Accuracy[0]-want) > 1e-12 {
		t.Errorf("%v, want %v", points[0].Accuracy, want)
	}
}

func TestPathErrors(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(65, 66)), 20, 3, 4)
	f := solvers.Features[float64](x)
	for want, p := range map[string]PathConfig{
		"Lambda = -1, need a positive number": {Lambdas: []float64{1, -1}},
		"1 folds of 20 examples":              {Folds: 1},
		"21 folds of 20 examples":             {Folds: 21},
		"top-9 accuracy of 4 classes":         {Tops: 9},
	} {
		points, err := Problem[float64]{X: f, Y: y}.Path(context.Background(), Config{}, p)
		if points != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Problem[float64]{X: f, Y: y}).Path(ctx, Config{}, PathConfig{Folds: 2}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if Best[float64](nil, 1) != -1 {
		t.Error("the best of nothing")
	}
}
