package topk_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// A ring around a disc, which no linear classifier tells apart.
func ExampleProblem_kernel() {
	x, y := vec.NewMatrix[float64](200, 2), make([]int, 200)
	for i := range y {
		y[i] = i % 2
		radius := .5 + float64(y[i])
		x.Row(i)[0], x.Row(i)[1] = radius*math.Cos(float64(i)), radius*math.Sin(float64(i))
	}
	k, err := kernel.New(design.Matrix[float64](&dataset.Dense[float64]{Matrix: x}), kernel.Gaussian{Gamma: 1},
		1<<20)
	if err != nil {
		log.Fatal(err)
	}
	r, err := topk.Problem[float64]{Kernel: k, Y: y}.Fit(context.Background(), topk.Config{Lambda: .001})
	if err != nil {
		log.Fatal(err)
	}
	guesses, err := solvers.Predict(r, k.Features(), 0)
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, c := range guesses {
		if c == y[i] {
			right++
		}
	}
	fmt.Println(r.Status, right, "right")
	// Output: converged 200 right
}
