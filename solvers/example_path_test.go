package solvers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
)

// Six examples of two classes in three folds: each has one of either class.
func ExampleFolds() {
	y := []int{0, 0, 0, 1, 1, 1}
	fold, err := solvers.Folds(y, len(y), 3, 1)
	if err != nil {
		log.Fatal(err)
	}
	for f := range 3 {
		count := [2]int{}
		for i, c := range y {
			if fold[i] == f {
				count[c]++
			}
		}
		fmt.Println("fold", f, "of the classes", count)
	}
	// Output:
	// fold 0 of the classes [1 1]
	// fold 1 of the classes [1 1]
	// fold 2 of the classes [1 1]
}

// How often a model is right on examples that it was not trained on.
func ExampleCrossValidate() {
	data := samples.Ionosphere[float64]()
	fold, err := solvers.Folds(data.Y, len(data.Y), 3, 1)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := solvers.CrossValidate(fold, func(train, test []int) (float64, error) {
		x := design.Matrix[float64](data.X)
		r, err := topk.Fit(context.Background(), design.Subset(x, train), elements(data.Y, train),
			topk.Config{Lambda: .01})
		if err != nil {
			return 0, err
		}
		guesses, err := solvers.TopK(r, design.Subset(x, test), 1, 1)
		if err != nil {
			return 0, err
		}
		right, err := metrics.TopKRanked(guesses, elements(data.Y, test), 1)
		return right[0], err
	}, 1)
	if err != nil {
		log.Fatal(err)
	}
	mean := 0.0
	for _, a := range accuracy {
		mean += a / float64(len(accuracy))
	}
	fmt.Println(len(accuracy), "folds, more than 8 of 10 right:", mean > .8)
	// Output: 3 folds, more than 8 of 10 right: true
}

// elements returns the elements of y at the given places.
func elements(y, places []int) []int {
	some := make([]int, len(places))
	for p, i := range places {
		some[p] = y[i]
	}
	return some
}
