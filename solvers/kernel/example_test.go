package kernel_test

import (
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// line is three points on a line.
func line() *dataset.Dense[float64] {
	return &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 1, []float64{0, 1, 3})}
}

func ExampleNew() {
	k, err := kernel.New[float64](line(), kernel.Polynomial{Degree: 2, Offset: 1}, 1<<20) // (x z + 1)²
	if err != nil {
		log.Fatal(err)
	}
	rows := vec.NewMatrix[float64](2, 3)
	k.Rows(rows, []int{1, 2}, 1)
	fmt.Println(rows.Row(0), rows.Row(1))
	// Output: [1 4 16] [1 16 100]
}

func ExamplePrecomputed() {
	k, err := kernel.Precomputed(vec.MatrixOf(2, 2, []float64{1, .5, .5, 1}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(k.Len())
	_, err = kernel.Precomputed(vec.MatrixOf(2, 2, []float64{1, .5, .25, 1}))
	fmt.Println(err)
	// Output:
	// 2
	// kernel: value 0.25 of row 1, column 0, but 0.5 of row 0, column 1: not symmetric
}

func ExampleBetween() {
	k := vec.NewMatrix[float64](2, 1)
	kernel.Between(k, kernel.Gaussian{Gamma: 1}, vec.MatrixOf(2, 1, []float64{0, 1}), vec.MatrixOf(1, 1, []float64{1}))
	fmt.Printf("%.3f\n", k.Data)
	// Output: [0.368 1.000]
}

func ExampleSum() {
	k, err := kernel.New[float64](line(), kernel.Sum{
		{Weight: 1, Kernel: kernel.Linear{}},
		{Weight: 10, Kernel: kernel.Polynomial{Degree: 2, Offset: 1}},
	}, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	row := vec.NewMatrix[float64](1, 3)
	k.Rows(row, []int{1}, 1)
	fmt.Println(row.Data)
	// Output: [10 41 163]
}
