package m3l_test

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// What is known of two classes of which there are no examples yet: a third of them is to be of the first. Labels are
// black, weak and furry.
func ExamplePrior() {
	attributes := vec.MatrixOf(2, 3, []float64{
		1, -1, 1, // a panda
		-1, 1, 1, // a rat
	})
	r, err := m3l.Prior(attributes, []float64{1, 2}, .01)
	if err != nil {
		panic(err)
	}
	for l := range r.Rows {
		fmt.Printf("%5.2f\n", r.Row(l))
	}
	// Output:
	// [ 1.01 -1.00 -0.33]
	// [-1.00  1.01  0.33]
	// [-0.33  0.33  1.01]
}

// Of many labels R takes much memory, and its factor little: one row for each class.
func ExamplePriorFactor() {
	attributes := vec.MatrixOf(2, 3, []float64{
		1, -1, 1, // a panda
		-1, 1, 1, // a rat
	})
	p, ridge, err := m3l.PriorFactor(attributes, []float64{1, 3}, .01)
	if err != nil {
		panic(err)
	}
	problem := m3l.Problem[float64]{P: p, Ridge: ridge}
	for k := range problem.P.Rows {
		fmt.Printf("%5.2f\n", problem.P.Row(k))
	}
	fmt.Printf("ridge %.2f\n", problem.Ridge)
	// Output:
	// [ 0.50 -0.50  0.50]
	// [-0.87  0.87  0.87]
	// ridge 0.01
}

// Examples that are left over tell how labels go together: of four, two have the labels 0 and 1 and two have none.
// Nothing is known of label 2.
func ExampleCorrelations() {
	r, err := m3l.Correlations([][]int{{0, 1}, {}, {1, 0}, {}}, 3, .1)
	if err != nil {
		panic(err)
	}
	for l := range r.Rows {
		fmt.Println(r.Row(l))
	}
	// Output:
	// [1 0.9 0]
	// [0.9 1 0]
	// [0 0 1]
}
