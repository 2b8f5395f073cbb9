package linear_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// Weights U Vᵀ of rank one, for two features and three outputs.
func ExampleNewLowRank() {
	u, v := vec.MatrixOf(2, 1, []float64{1, 2}), vec.MatrixOf(3, 1, []float64{1, 0, -1})
	m, err := linear.NewLowRank(u, v, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	dense, err := m.Dense()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("rank", m.Rank(), dense.Weights().Data)
	// Output: rank 1 [1 0 -1 2 0 -2]
}

func ExampleReadLowRank() {
	m, err := linear.NewLowRank(vec.MatrixOf(2, 1, []float64{1, 2}), vec.MatrixOf(2, 1, []float64{1, -1}), nil,
		[]string{"up", "down"})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file
	if _, err := m.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	same, err := linear.ReadLowRank[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	u, v := same.Factors()
	fmt.Println(same.Names(), u.Data, v.Data)
	// Output: [up down] [1 2] [1 -1]
}

// A model is read in the precision that it was written in.
func ExampleRead() {
	m, err := linear.New(vec.MatrixOf(1, 2, []float32{1, -1}), nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	_, err = linear.Read[float64](bytes.NewReader(file.Bytes()))
	fmt.Println(err)
	same, err := linear.Read[float32](&file)
	fmt.Println(same.Weights().Data, err)
	// Output:
	// linear: reading a model: section "cons" holds float32, want float64
	// [1 -1] <nil>
}

// The last row of W belongs to a constant feature of 2: offsets are twice as large.
func ExampleWithConstant() {
	m, err := linear.WithConstant(vec.MatrixOf(2, 2, []float64{1, -1, .5, .25}), 2, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Weights().Data, m.Bias(), m.Constant())
	// Output: [1 -1] [1 0.5] 2
}
