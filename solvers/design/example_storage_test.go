package design_test

import (
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// three examples of two features.
func three() design.Matrix[float64] {
	return &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{1, 0, 0, 1, 2, 1})}
}

// gathered returns all numbers of x, row by row.
func gathered(x design.Matrix[float64]) []float64 {
	n, d := x.Dims()
	all := vec.NewMatrix[float64](n, d)
	x.Gather(all, nil)
	return all.Data
}

func ExampleSubset() {
	fmt.Println(gathered(design.Subset(three(), []int{2, 0})))
	// Output: [2 1 1 0]
}

func ExampleWindow() {
	fmt.Println(gathered(design.Window(three(), 1, 3)))
	// Output: [0 1 2 1]
}

func ExampleWithBias() {
	fmt.Println(gathered(design.WithBias(three(), 1)))
	// Output: [1 0 1 0 1 1 2 1 1]
}

// Inner products of examples in two storages.
func ExampleCrossGram() {
	test, err := dataset.NewCSR(2, []int{0, 1}, []int32{1}, []float64{10})
	if err != nil {
		log.Fatal(err)
	}
	k := vec.NewMatrix[float64](3, 1)
	design.CrossGram(k, three(), nil, test, nil)
	fmt.Println(k.Data)
	// Output: [0 10 10]
}

// Numbers stay in float32; what is computed from them is in float64.
func ExampleFloat64() {
	x := &dataset.Dense[float32]{Matrix: vec.MatrixOf(1, 1, []float32{.5})}
	fmt.Println(gathered(design.Float64(x)))
	// Output: [0.5]
}

// A row of a hand-built matrix names a feature that is none: Fit would say so, too.
func ExampleValidate() {
	x := &dataset.CSR[float64]{Rows: 2, Cols: 3, Ptr: []int{0, 1, 2}, Idx: []int32{0, 3}, Val: []float64{1, 2}}
	_, _, err := design.Validate[float64](x)
	fmt.Println(err)
	// Output: dataset: row 1 has column 3, value 2: want a column in 0..2
}

// Examples that are mostly zeros are copied without these.
func ExampleSparse() {
	x := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](10, 10)})
	fmt.Println(design.IsSparse(x), design.IsSparse(design.Sparse(x)))
	// Output: false true
}

func ExampleIsSparse() {
	x, err := dataset.NewCSR(2, []int{0, 1}, []int32{1}, []float64{10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(design.IsSparse(three()), design.IsSparse(design.WithBias(x, 1)))
	// Output: false true
}

// Sparse examples with a copy by columns: each row of Xᵀ A is then written once.
func ExampleWithColumns() {
	x, err := dataset.NewCSR(2, []int{0, 1, 2}, []int32{1, 1}, []float64{10, 20})
	if err != nil {
		log.Fatal(err)
	}
	columns, err := design.WithColumns[float64](x)
	if err != nil {
		log.Fatal(err)
	}
	w := vec.NewMatrix[float64](2, 1)
	design.AccumulateAll(w, vec.MatrixOf(2, 1, []float64{1, 2}), columns, 0)
	_, by := columns.(design.ByFeatures[float64])
	fmt.Println(by, w.Data)
	// Output: true [0 50]
}

// A storage of one's own, or a literal, may not fit together.
func ExampleCheck() {
	n, d, err := design.Check(three())
	fmt.Println(n, d, err)
	_, _, err = design.Check[float64](&dataset.CSR[float64]{Cols: 2, Ptr: []int{0, 1}})
	fmt.Println(err != nil)
	// Output:
	// 3 2 <nil>
	// true
}

// Where two numbers for each of ten features are to be summed, one goroutine does it.
func ExampleSummers() {
	fmt.Println(design.Summers(three()))
	// Output: 1
}
