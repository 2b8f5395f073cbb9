package pq_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// Train on examples of half a byte for each eight pixels, and predict for images as they are.
func ExampleMatrix() {
	train, test := samples.FashionMNIST[float32]() // 3000 and 1000 images of 784 pixels
	n, d := train.X.Dims()
	x := vec.NewMatrix[float32](n, d)
	train.X.Gather(nil, x)

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
	r, err := topk.Fit(ctx, compressed, train.Y, topk.Config{Lambda: 0.01})
	if err != nil {
		log.Fatal(err)
	}
	guesses, err := r.TopKAll(test.X, 1)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := metrics.TopKRanked(guesses, test.Y, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes an image instead of %d\n", q.CodeSize(), 4*d)
	fmt.Println("certified:", r.Certificate.RelativeGap() <= 1e-3)
	fmt.Println("more than 3 of 4 right:", accuracy[0] > 0.75)
	// Output:
	// 49 bytes an image instead of 3136
	// certified: true
	// more than 3 of 4 right: true
}
