package m3l_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// Documents by their words, each about any number of three topics, one of them about none.
func ExampleFit() {
	words := vec.MatrixOf(6, 3, []float64{
		2, 0, 0,
		0, 2, 0,
		0, 0, 2,
		1, 0, 1,
		1, 1, 0,
		0, 0, 0,
	})
	topics := [][]int{{0}, {1}, {2}, {0, 2}, {0, 1}, {}}
	x := design.Matrix[float64](&dataset.Dense[float64]{Matrix: words})
	r, err := m3l.Fit(context.Background(), x, topics, m3l.Config{C: 10, Bias: 1})
	if err != nil {
		log.Fatal(err)
	}
	others := vec.MatrixOf(3, 3, []float64{
		0, 3, 0,
		0, 1, 1,
		.1, .1, 0,
	})
	sets, err := solvers.LabelSets(r, design.Matrix[float64](&dataset.Dense[float64]{Matrix: others}), 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status, sets)
	// Output: converged [[1] [1 2] []]
}

// A support vector machine for each of ten digits against the others.
func ExampleOneVsAll() {
	digits := samples.Digits[float32]()
	parts, err := solvers.Strata{Y: digits.Y}.Split(.2, 1)
	if err != nil {
		log.Fatal(err)
	}
	classes := func(rows []int) (y []int) {
		for _, i := range rows {
			y = append(y, digits.Y[i])
		}
		return y
	}
	x := design.Matrix[float32](digits.X)
	r, err := m3l.OneVsAll(context.Background(), design.Subset(x, parts.Train), classes(parts.Train),
		m3l.Config{C: 1e-3})
	if err != nil {
		log.Fatal(err)
	}
	guesses, err := solvers.Predict(r, design.Subset(x, parts.Test), 0)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := metrics.Accuracy(guesses, classes(parts.Test))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, %.0f%% right\n", r.Status, 100*accuracy)
	// Output: converged, 95% right
}
