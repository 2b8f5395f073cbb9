package kernel_test

import (
	"bytes"
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

// two is a bundle of two kernels of these.
func two() *kernel.Bundle[float64] {
	b, err := kernel.NewBundle(1<<20, kernel.Group[float64]{
		X: line(), Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Polynomial{Degree: 2, Offset: 1}},
	})
	if err != nil {
		log.Fatal(err)
	}
	return b
}

func ExampleNew() {
	k, err := kernel.New[float64](line(), kernel.Polynomial{Degree: 2, Offset: 1}, 1<<20) // (x z + 1)²
	if err != nil {
		log.Fatal(err)
	}
	rows := vec.NewMatrix[float64](2, 3)
	k.Rows(rows, []int{1, 2})
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
	k.Rows(row, []int{1})
	fmt.Println(row.Data)
	// Output: [10 41 163]
}

func ExampleNewBundle() {
	b := two()
	rows := []vec.Matrix[float64]{vec.NewMatrix[float64](1, 3), vec.NewMatrix[float64](1, 3)} // of each kernel
	b.Rows(rows, []int{1}, 0)
	fmt.Println(b.Len(), "examples,", b.Kernels(), "kernels:", rows[0].Data, rows[1].Data)
	// Output: 3 examples, 2 kernels: [0 1 3] [1 4 16]
}

// A weighted sum of kernels in memory, weighed anew.
func ExampleMixture() {
	k, err := two().Mix()
	if err != nil {
		log.Fatal(err)
	}
	row := vec.NewMatrix[float64](1, 3)
	for _, weights := range [][]float64{{1, 0}, {1, 10}} {
		k.Weigh(weights, 0)
		k.Rows(row, []int{1})
		fmt.Println(row.Data)
	}
	// Output:
	// [0 1 3]
	// [10 41 163]
}

// One support vector, the second point, with two coefficients, by both kernels.
func ExampleNewCombination() {
	m, err := kernel.NewCombination(two(), []float64{1, 10}, vec.MatrixOf(3, 2, []float64{0, 0, 1, -1, 0, 0}),
		[]string{"up", "down"})
	if err != nil {
		log.Fatal(err)
	}
	scores := vec.NewMatrix[float64](1, 2)
	if err := m.Scores(scores, line(), []int{2}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(m.Support()), "support vector:", scores.Data)
	// Output: 1 support vector: [163 -163]
}

func ExampleReadCombination() {
	m, err := kernel.NewCombination(two(), []float64{1, 10}, vec.MatrixOf(3, 1, []float64{0, 1, -1}), nil)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file
	if _, err := m.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	same, err := kernel.ReadCombination[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Weights(), same.Support(), same.Coefficients().Data)
	// Output: [1 10] [1 2] [1 -1]
}
