package pq_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// Train on examples of half a byte for each eight pixels, and predict for images as they are.
func ExampleMatrix() {
	train, test := samples.FashionMNIST[float32]() // images of 784 pixels, of which 500 are enough here
	_, d := train.X.Dims()
	n := 500
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	x := vec.NewMatrix[float32](n, d)
	train.X.Gather(x, rows)

	ctx := context.Background()
	q, err := pq.Train(ctx, x, pq.Config{M: d / 8, NBits: 4})
	if err != nil {
		log.Fatal(err)
	}
	codes := make([]byte, n*q.CodeSize())
	if err := q.Encode(codes, x, 0); err != nil {
		log.Fatal(err)
	}
	compressed, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := topk.Fit(ctx, compressed, train.Y[:n], topk.Config{Lambda: 0.03, Tol: 0.01})
	if err != nil {
		log.Fatal(err)
	}
	guesses, err := solvers.TopK(r, test.X, 1, 0)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := metrics.TopKRanked(guesses, test.Y, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes an image instead of %d\n", q.CodeSize(), 4*d)
	fmt.Println("certified:", r.Certificate.RelativeGap() <= 0.01)
	fmt.Println("more than 7 of 10 right:", accuracy[0] > 0.7)
	// Output:
	// 49 bytes an image instead of 3136
	// certified: true
	// more than 7 of 10 right: true
}
