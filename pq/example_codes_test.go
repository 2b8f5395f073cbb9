package pq_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// grid returns a quantizer of given centroids: the 16 points of a 4-by-4 grid, in one subspace of two dimensions.
func grid() *pq.Quantizer {
	centroids := make([]float32, 16*2)
	for c := range 16 {
		centroids[2*c], centroids[2*c+1] = float32(c%4), float32(c/4)
	}
	q, err := pq.New(2, 1, 4, centroids, nil)
	if err != nil {
		log.Fatal(err)
	}
	return q
}

func ExampleNew() {
	q := grid()
	code := make([]byte, q.CodeSize())
	if err := q.EncodeVector(code, []float32{2.1, 0.9}); err != nil {
		log.Fatal(err)
	}
	near := make([]float32, 2)
	if err := q.DecodeVector(near, code); err != nil {
		log.Fatal(err)
	}
	fmt.Println(code, near)
	// Output: [6] [2 1]
}

func ExampleQuantizer_Decode() {
	q := grid()
	x := vec.MatrixOf(2, 2, []float32{2.1, .9, -.5, 3.5})
	codes := make([]byte, 2*q.CodeSize())
	if err := q.Encode(codes, x, 0); err != nil {
		log.Fatal(err)
	}
	y := vec.NewMatrix[float32](2, 2)
	if err := q.Decode(y, codes, 0); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y.Row(0), y.Row(1))
	// Output: [2 1] [0 3]
}

func ExampleQuantizer_SymmetricDistance() {
	d, err := grid().SymmetricDistance([]byte{0}, []byte{6}) // of (0, 0) and (2, 1)
	fmt.Println(d, err)
	// Output: 5 <nil>
}

func ExampleQuantizer_ReadCodes() {
	q := grid()
	var file bytes.Buffer // or a file
	if err := q.WriteCodes(&file, []byte{6, 12}); err != nil {
		log.Fatal(err)
	}
	codes, err := q.ReadCodes(&file)
	fmt.Println(codes, err)
	// Output: [6 12] <nil>
}

// The nearest vectors of several queries, among vectors of even numbers only.
func ExampleIndex_SearchBatch() {
	x := vectors(2000)
	q, err := pq.Train(context.Background(), x, pq.Config{M: 8})
	if err != nil {
		log.Fatal(err)
	}
	index, err := pq.NewIndex(q, pq.L2)
	if err != nil {
		log.Fatal(err)
	}
	if err := index.Add(x, 0); err != nil {
		log.Fatal(err)
	}
	even := func(id uint64) bool { return id%2 == 0 }
	queries := vec.MatrixOf(2, 32, append(append([]float32{}, x.Row(10)...), x.Row(20)...))
	found, err := index.SearchBatch(queries, pq.Search{K: 1, Filter: even, Vector: pq.Rows(x)}, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found)
	// Output: [[{10 0}] [{20 0}]]
}

func ExampleReadIndex() {
	index, err := pq.NewIndex(grid(), pq.L2)
	if err != nil {
		log.Fatal(err)
	}
	if err := index.AddCodes([]byte{0, 6, 12}); err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file
	if _, err := index.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	same, err := pq.ReadIndex(&file)
	if err != nil {
		log.Fatal(err)
	}
	found, err := same.Search(nil, []float32{2, 2}, pq.Search{K: 2}) // squared distances to (2, 1) and (0, 3)
	fmt.Println(same.Len(), found, err)
	// Output: 3 [{1 1} {2 5}] <nil>
}

// A design matrix of three examples, of which only the codes are kept.
func ExampleNewMatrix() {
	x, err := pq.NewMatrix(grid(), 3, []byte{0, 6, 12}, pq.MatrixOptions{Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	scores := vec.NewMatrix[float32](3, 1)
	x.Scores(scores, vec.MatrixOf(2, 1, []float32{1, 10}), nil)
	fmt.Println(scores.Data)
	// Output: [0 12 30]
}
