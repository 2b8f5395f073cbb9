package m3l_test

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// The paper's method beside Fit: the same optimum, and how the dual value got there.
func ExampleProblem_SMO() {
	x := dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 2, []float64{1, 0, 1, 1, 0, 1, -1, 1})}
	k, err := kernel.New[float64](&x, kernel.Gaussian{Gamma: .5}, 1<<20)
	if err != nil {
		panic(err)
	}
	p := m3l.Problem[float64]{
		Kernel: k,
		Sets:   [][]int{{0}, {0, 1}, {1}, {}},
		R:      vec.MatrixOf(2, 2, []float64{1, .5, .5, 1}), // both labels together are likely
	}
	ctx, c := context.Background(), m3l.Config{C: 1, Tol: 1e-6}
	smo, steps, err := p.SMO(ctx, c, m3l.SMOOptions{Tau: 1e-6})
	if err != nil {
		panic(err)
	}
	fit, err := p.Fit(ctx, c)
	if err != nil {
		panic(err)
	}
	first := steps[1]
	fmt.Printf("dual value %.3f after %d iterations, %.3f at the end\n", first.Dual, first.Iterations,
		smo.Certificate.Dual)
	fmt.Printf("Fit %.3f\n", fit.Certificate.Dual)
	// Output:
	// dual value 6.975 after 4 iterations, 7.586 at the end
	// Fit 7.586
}
