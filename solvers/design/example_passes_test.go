package design_test

import (
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// X W of all examples, by all cores.
func ExampleScoresAll() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{
		1, 0,
		0, 1,
		2, 1,
	})}
	w := vec.MatrixOf(2, 2, []float64{
		1, -1,
		3, 5,
	})
	scores := vec.NewMatrix[float64](3, 2)
	design.ScoresAll(scores, w, design.Matrix[float64](x), 0)
	fmt.Println(scores.Data)
	// Output: [1 -1 3 5 5 3]
}

// Xᵀ A of all examples, by two goroutines at most.
func ExampleAccumulateAll() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{
		1, 0,
		0, 1,
		2, 1,
	})}
	a := vec.MatrixOf(3, 1, []float64{1, 10, 100})
	w := vec.MatrixOf(2, 1, []float64{.5, 0}) // the sum is added to what is there
	design.AccumulateAll(w, a, design.Matrix[float64](x), 2)
	fmt.Println(w.Data)
	// Output: [201.5 110]
}

// The labels whose scores are above 0, any number of them.
func ExampleLabelSets() {
	m, err := linear.New(vec.MatrixOf(2, 3, []float64{
		1, 0, -1,
		0, 1, -1,
	}), []float64{0, 0, .5}, []string{"right", "up", "back"})
	if err != nil {
		log.Fatal(err)
	}
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{
		1, 2,
		-1, 0,
		-1, 2,
	})}
	sets, err := solvers.LabelSets(m, x, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sets)
	// Output: [[0 1] [2] [1]]
}
