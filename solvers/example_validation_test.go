package solvers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// points are the points of a path, with what cross-validation in four parts has found.
func points() []topk.Point[float64] {
	accuracy := solvers.Measure{Name: "accuracy"}
	var all []topk.Point[float64]
	for order, folds := range [][]float64{{.6, .7, .6, .7}, {.8, .9, .8, .9}, {.9, .8, 1, .8}} {
		all = append(all, topk.Point[float64]{
			Lambda: []float64{1, .1, .01}[order],
			Validation: solvers.Validation{Measures: []solvers.Measured{solvers.NewMeasured(accuracy, folds)},
				Order: order},
		})
	}
	return all
}

func ExampleBest() {
	points := points()
	best := points[solvers.Best(points, 0)] // by the first measure
	fmt.Println(best.Lambda, best.Measures[0].Name, best.Measures[0].Mean)
	// Output: 0.01 accuracy 0.875
}

// The most regularized point that is as good as the best within a standard error.
func ExampleOneStandardError() {
	points := points()
	best, simple := points[solvers.Best(points, 0)], points[solvers.OneStandardError(points, 0)]
	accuracy := best.Measures[0]
	fmt.Printf("the best: %.3f, standard error %.3f\n", accuracy.Mean, accuracy.StandardError())
	fmt.Printf("lambda %v has %.3f\n", simple.Lambda, simple.Measures[0].Mean)
	// Output:
	// the best: 0.875, standard error 0.041
	// lambda 0.1 has 0.850
}

// A measure of one's own, the F1 of rare classes as of frequent ones, on parts of one's own: the first half of the
// examples and the second.
func ExampleCrossValidation() {
	data := samples.Digits[float32]()
	fold := make([]int, len(data.Y))
	for i := range fold {
		fold[i] = 2 * i / len(fold)
	}
	macro := solvers.Measure{Name: "macro F1", Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
		guesses := make([]int, len(rows))
		for p := range guesses {
			guesses[p] = vec.ArgMax(scores.Row(p))
		}
		counts, err := metrics.Confusion(guesses, elements(data.Y, rows), len(data.Classes))
		if err != nil {
			return 0, err
		}
		return metrics.MacroF1(metrics.PerClass(counts)), nil
	}}
	path := topk.PathConfig{
		Lambdas:         []float64{100, 1},
		CrossValidation: solvers.CrossValidation{Fold: fold, Measures: []solvers.Measure{macro}, FoldsOnly: true},
	}
	points, err := topk.Problem[float32]{X: data.X, Y: data.Y}.Path(context.Background(), topk.Config{Tol: .01}, path)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range points {
		fmt.Printf("lambda %v: %s above .8: %t, with a model of all examples: %t\n",
			p.Lambda, p.Measures[0].Name, p.Measures[0].Mean > .8, p.Result != nil)
	}
	// Output:
	// lambda 100: macro F1 above .8: true, with a model of all examples: false
	// lambda 1: macro F1 above .8: true, with a model of all examples: false
}
