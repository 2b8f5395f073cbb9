package topk_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// Transfer: images of another camera are darker and two pixels to the right, and 40 of them have labels. The model of
// the first camera's images is the prior: better than that model, and better than a model of the 40 images alone.
func ExampleProblem_prior() {
	train, test := samples.FashionMNIST[float32]()
	ctx, c := context.Background(), topk.Config{Loss: topk.TopKEntropy, Lambda: .03, Classes: 10}
	first, err := topk.Fit(ctx, train.X, train.Y, c)
	if err != nil {
		log.Fatal(err)
	}
	few := topk.Problem[float32]{X: otherCamera(train.X, 40), Y: train.Y[:40]}
	alone, err := few.Fit(ctx, c)
	if err != nil {
		log.Fatal(err)
	}
	if few.Prior, err = first.Linear.Prior(c.Bias); err != nil {
		log.Fatal(err)
	}
	pulled, err := few.Fit(ctx, c)
	if err != nil {
		log.Fatal(err)
	}
	for _, model := range []*topk.Result[float32]{first, alone, pulled} {
		classes, err := solvers.Predict(model, otherCamera(test.X, test.X.Rows), 0)
		if err != nil {
			log.Fatal(err)
		}
		accuracy, err := metrics.Accuracy(classes, test.Y)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v, %.0f%% right\n", model.Status, 100*accuracy)
	}
	// Output:
	// converged, 55% right
	// converged, 63% right
	// converged, 67% right
}

// otherCamera returns the first n images, moved and darker.
func otherCamera(x *dataset.Dense[float32], n int) design.Matrix[float32] {
	moved := vec.NewMatrix[float32](n, x.Cols)
	for i := range n {
		copy(moved.Row(i)[2:], x.Row(i))
		vec.Scale(.5, moved.Row(i))
	}
	return &dataset.Dense[float32]{Matrix: moved}
}
