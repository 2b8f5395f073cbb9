package topk_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
)

// Train on 3000 images of clothing so that the right one is among three guesses, and count how often it is.
func ExampleFit() {
	train, test := samples.FashionMNIST[float32]()
	r, err := topk.Fit(context.Background(), train.X, train.Y, topk.Config{K: 3, Lambda: .1})
	if err != nil {
		log.Fatal(err)
	}
	guesses, err := solvers.TopK(r, test.X, 3, 0)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := metrics.TopKRanked(guesses, test.Y, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status, "with a gap of at most 0.1%:", r.Certificate.RelativeGap() <= 1e-3)
	fmt.Printf("right within 3 guesses: %.0f%%\n", 100*accuracy[2])
	// Output:
	// converged with a gap of at most 0.1%: true
	// right within 3 guesses: 98%
}

// The best classes of one image.
func Example_model() {
	train, test := samples.FashionMNIST[float32]()
	r, err := topk.Fit(context.Background(), train.X, train.Y, topk.Config{K: 2, Lambda: .1, Bias: 1})
	if err != nil {
		log.Fatal(err)
	}
	best := make([]int, 2)
	r.Linear.TopK(best, test.X.Row(1))
	for _, class := range best {
		fmt.Println(train.Classes[class])
	}
	// Output:
	// Pullover
	// Coat
}
