package bundle_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// line is three points on a line.
func line() *dataset.Dense[float64] {
	return &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 1, []float64{0, 1, 3})}
}

// two is a bundle of two kernels of these.
func two() *bundle.Bundle[float64] {
	b, err := bundle.New(1<<20, bundle.Group[float64]{
		X: line(), Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Polynomial{Degree: 2, Offset: 1}},
	})
	if err != nil {
		log.Fatal(err)
	}
	return b
}

func ExampleNew() {
	b := two()
	diagonal := make([]float64, 3)
	b.Diagonal(diagonal, 1)
	fmt.Println(b.Len(), "examples,", b.Kernels(), "kernels:", diagonal)
	// Output: 3 examples, 2 kernels: [1 4 100]
}

// A weighted sum of kernels in memory, weighed anew.
func ExampleMixture() {
	k, err := two().Mix(0)
	if err != nil {
		log.Fatal(err)
	}
	row := vec.NewMatrix[float64](1, 3)
	for _, weights := range [][]float64{{1, 0}, {1, 10}} {
		k.Weigh(weights, 0)
		k.Rows(row, []int{1}, 1)
		fmt.Println(row.Data)
	}
	// Output:
	// [0 1 3]
	// [10 41 163]
}

// One support vector, the second point, with two coefficients, by both kernels.
func ExampleNewCombination() {
	m, err := bundle.NewCombination(two(), []float64{1, 10}, vec.MatrixOf(3, 2, []float64{0, 0, 1, -1, 0, 0}),
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
	m, err := bundle.NewCombination(two(), []float64{1, 10}, vec.MatrixOf(3, 1, []float64{0, 1, -1}), nil)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file
	if _, err := m.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	same, err := bundle.ReadCombination[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Weights(), same.Support(), same.Coefficients().Data)
	// Output: [1 10] [1 2] [1 -1]
}
