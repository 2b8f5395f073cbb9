package model_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// What was trained on features has a Linear model, what was trained on a kernel a Kernel one; both answer alike.
func Example() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 1, []float64{-2, -1, 1, 2})}
	y := []int{0, 0, 1, 1}
	k, err := kernel.New[float64](x, kernel.Linear{}, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range []topk.Problem[float64]{{X: x, Y: y}, {Kernel: k, Y: y}} {
		r, err := p.Fit(context.Background(), topk.Config{Lambda: .1})
		if err != nil {
			log.Fatal(err)
		}
		var m *model.Model[float64] = r.Model
		guesses, err := solvers.Predict(m, x, 0)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("linear:", m.Linear != nil, "by a kernel:", m.Kernel != nil, guesses)
	}
	// Output:
	// linear: true by a kernel: false [0 0 1 1]
	// linear: false by a kernel: true [0 0 1 1]
}

// Notes go into the file of a model.
func ExampleModel_WithNotes() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{-1, 1})}
	r, err := topk.Problem[float64]{X: x, Y: []int{0, 1}, Names: []string{"left", "right"}}.Fit(
		context.Background(), topk.Config{Lambda: .1})
	if err != nil {
		log.Fatal(err)
	}
	var m *model.Model[float64] = r.WithNotes(map[string]string{"source": "two points"})
	features, outputs := m.Dims()
	fmt.Println(features, "feature,", outputs, "classes", m.Names(), m.Notes())
	// Output: 1 feature, 2 classes [left right] map[source:two points]
}
