package design_test

import (
	"fmt"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Words, which are sparse, beside measurements, which are dense.
func ExampleConcat() {
	words, _ := dataset.NewCSR(4, []int{0, 1, 3}, []int32{2, 0, 3}, []float64{1, 2, 1})
	measured, _ := dataset.NewDense(vec.MatrixOf(2, 2, []float64{.5, .25, .75, 1}))
	x := design.Concat[float64](words, measured)
	n, d := x.Dims()
	all := vec.NewMatrix[float64](n, d)
	x.Gather(all, nil)
	fmt.Println(all.Row(0), all.Row(1))
	// Output: [0 0 1 0 0.5 0.25] [2 0 0 1 0.75 1]
}

// Sparse examples as if they were standardized: mean 0 and variance 1.
func ExampleCentered() {
	x, _ := dataset.NewCSR(2, []int{0, 1, 2, 4, 5}, []int32{0, 1, 0, 1, 1}, []float64{4, 1, 4, 1, 1})
	y := design.Scaled(design.Centered[float64](x, []float64{2, .75}), []float64{.5, 2})
	all := vec.NewMatrix[float64](4, 2)
	y.Gather(all, nil)
	for i := range 4 {
		fmt.Println(all.Row(i))
	}
	// Output:
	// [1 -1.5]
	// [-1 0.5]
	// [1 0.5]
	// [-1 0.5]
}

func ExampleScaled() {
	x, _ := dataset.NewDense(vec.MatrixOf(1, 3, []float64{1000, 2, .125}))
	y := design.Scaled[float64](x, []float64{.001, 1, 8})
	row := vec.NewMatrix[float64](1, 3)
	y.Gather(row, nil)
	fmt.Println(row.Data)
	// Output: [1 2 1]
}
