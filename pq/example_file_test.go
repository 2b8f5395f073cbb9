package pq_test

import (
	"bytes"
	"fmt"
	"log"
	"slices"

	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// Codes, and the quantizer that they belong to, in one file.
func ExampleReadMatrix() {
	centroids := make([]float32, 16*2) // of one subspace of two dimensions
	for c := range 16 {
		centroids[2*c], centroids[2*c+1] = float32(c%4), float32(c/4)
	}
	q, err := pq.New(2, 1, 4, centroids, nil)
	if err != nil {
		log.Fatal(err)
	}
	rows := vec.MatrixOf(3, 2, []float32{.1, 0, 3.2, .9, 2, 2.1})
	codes := make([]byte, 3*q.CodeSize())
	if err := q.Encode(codes, rows, 0); err != nil {
		log.Fatal(err)
	}
	x, err := pq.NewMatrix(q, 3, codes, pq.MatrixOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file
	if _, err := x.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	same, err := pq.ReadMatrix(&file, pq.MatrixOptions{})
	if err != nil {
		log.Fatal(err)
	}
	decoded := vec.NewMatrix[float32](3, 2)
	same.Gather(decoded, nil)
	fmt.Println(decoded.Data)

	before, after := make([]float32, 3), make([]float32, 3)
	x.SquaredNorms(before)
	same.SquaredNorms(after)
	fmt.Println("the same norms:", slices.Equal(before, after))
	// Output:
	// [0 0 3 1 2 2]
	// the same norms: true
}
