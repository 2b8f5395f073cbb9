package m3l_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// Points of the plane, far from the origin or not, to its right or not: labels of which the first needs a kernel.
func ExampleProblem_kernel() {
	x, sets := vec.NewMatrix[float64](200, 2), make([][]int, 200)
	for i := range sets {
		radius := .5 + float64(i%2)
		x.Row(i)[0], x.Row(i)[1] = radius*math.Cos(float64(i)), radius*math.Sin(float64(i))
		if i%2 == 1 {
			sets[i] = append(sets[i], 0)
		}
		if x.Row(i)[0] > 0 {
			sets[i] = append(sets[i], 1)
		}
	}
	k, err := kernel.New(design.Matrix[float64](&dataset.Dense[float64]{Matrix: x}), kernel.Gaussian{Gamma: 1},
		1<<20)
	if err != nil {
		log.Fatal(err)
	}
	r, err := m3l.Problem[float64]{Kernel: k, Sets: sets}.Fit(context.Background(), m3l.Config{C: 1000})
	if err != nil {
		log.Fatal(err)
	}
	predicted, err := solvers.LabelSets(r, k.Features(), 0)
	if err != nil {
		log.Fatal(err)
	}
	loss, err := metrics.HammingLoss(predicted, sets, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, %.1f%% of the labels wrong\n", r.Status, 100*loss)
	// Output: converged, 0.0% of the labels wrong
}
