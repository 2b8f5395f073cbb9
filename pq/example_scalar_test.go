package pq_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// Codes of the 8 first of 32 principal axes, 4 bits each: 4 bytes a vector, and an answer that is proved.
func ExampleTrainScalar() {
	x := vectors(2000)
	codec, err := pq.TrainScalar(context.Background(), x, pq.ScalarConfig{Dims: 8, Bits: 4})
	if err != nil {
		log.Fatal(err)
	}
	index, err := pq.NewIndexOf(codec, pq.IndexConfig{Metric: pq.L2, Bounds: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := index.Add(x, 0); err != nil {
		log.Fatal(err)
	}
	found, proof, err := index.Certify(nil, x.Row(7), pq.Search{K: 3, Vector: pq.Rows(x)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(codec.CodeSize(), "bytes; nearest:", found[0], "gap:", proof.Gap())
	// Output: 4 bytes; nearest: {7 0} gap: 0
}

// After a random rotation a code needs no training data: two vectors say where zero is and how long vectors are.
func ExampleTrainScalar_hadamard() {
	x := vec.MatrixOf(2, 4, []float32{1, 1, 1, 1, -1, -1, -1, -1})
	codec, err := pq.TrainScalar(context.Background(), x, pq.ScalarConfig{Turn: pq.Hadamard, Bits: 8})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(codec.Turn(), codec.Dims(), codec.Bits(), codec.Tails(), codec.Axes().Rows)
	// Output: Hadamard 4 8 0 0
}

// line is a codec of the one axis of a line in the plane.
func line() *pq.Scalar {
	x := vec.MatrixOf(4, 2, []float32{-3, -4, -3, -4, 3, 4, 3, 4})
	codec, err := pq.TrainScalar(context.Background(), x, pq.ScalarConfig{Dims: 1, Bits: 1})
	if err != nil {
		log.Fatal(err)
	}
	return codec
}

func ExampleScalar_Encode() {
	codec := line()
	codes := make([]byte, 2*codec.CodeSize())
	if err := codec.Encode(codes, vec.MatrixOf(2, 2, []float32{6, 8, -1, -1}), 0); err != nil {
		log.Fatal(err)
	}
	fmt.Println(codes[0] != codes[1])
	// Output: true
}

func ExampleScalar_Decode() {
	codec := line()
	x, y := vec.MatrixOf(1, 2, []float32{6, 8}), vec.NewMatrix[float32](1, 2)
	code := make([]byte, codec.CodeSize())
	if err := codec.Encode(code, x, 0); err != nil {
		log.Fatal(err)
	}
	if err := codec.Decode(y, code, 0); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", y.Row(0)) // of one bit, the best level for normal numbers is at 0.8 of the typical 5
	// Output: [2.4 3.2]
}

func ExampleReadScalar() {
	codec := line()
	var file bytes.Buffer // or a file
	if _, err := codec.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	same, err := pq.ReadScalar(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.D(), same.Dims(), same.Bits())
	// Output: 2 1 1
}
