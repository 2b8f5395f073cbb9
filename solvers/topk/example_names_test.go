package topk_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/topk"
)

// Classes by name, and an example that is worth two.
func ExampleProblem_Fit() {
	data := samples.Ionosphere[float64]()
	weights := make([]float64, len(data.Y))
	for i := range weights {
		weights[i] = 1
	}
	weights[0] = 2
	p := topk.Problem[float64]{X: data.X, Y: data.Y, Names: data.Classes, Weights: weights}
	r, err := p.Fit(context.Background(), topk.Config{Lambda: .01, Bias: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status, r.Names()[r.Linear.Predict(data.X.Row(0))])
	// Output: converged g
}
