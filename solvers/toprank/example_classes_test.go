package toprank_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/toprank"
)

// One ranker for each of ten digits. The class of an image is the one whose ranker scores it highest.
func ExampleClasses() {
	data := samples.Digits[float64]()
	train, test := []int{}, []int{}
	var truth []int
	p := toprank.Classes[float64]{Names: data.Classes}
	for i, y := range data.Y {
		if i%3 > 0 {
			train, p.Y = append(train, i), append(p.Y, y)
		} else {
			test, truth = append(test, i), append(truth, y)
		}
	}
	p.X = design.Subset(design.Matrix[float64](data.X), train)
	r, err := p.Fit(context.Background(), toprank.Config{C: .01})
	if err != nil {
		log.Fatal(err)
	}
	guesses, err := solvers.Predict(r.ClassModel, design.Subset(design.Matrix[float64](data.X), test), 0)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := metrics.Accuracy(guesses, truth)
	fmt.Printf("%d rankers, %v: %.2f of the digits are right, %v\n", len(r.Rankers), r.Status, accuracy, err)
	// Output:
	// 10 rankers, converged: 0.96 of the digits are right, <nil>
}
