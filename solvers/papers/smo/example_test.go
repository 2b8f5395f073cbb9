package smo_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/papers/smo"
	"github.com/dualgap/dualgap/vec"
)

// The paper's method: how the dual value grows, and what package m3l certifies of where it ends.
func ExampleSolve() {
	x := dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 2, []float64{1, 0, 1, 1, 0, 1, -1, 1})}
	k, err := kernel.New[float64](&x, kernel.Gaussian{Gamma: .5}, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	sets := [][]int{{0}, {0, 1}, {1}, {}}
	r := vec.MatrixOf(2, 2, []float64{1, .5, .5, 1}) // both labels together are likely
	ctx := context.Background()
	paper := smo.Problem[float64]{Kernel: k, Sets: sets, Labels: 2, R: r, C: 1}
	end, err := smo.Solve(ctx, paper, smo.Options{Tau: 1e-6})
	if err != nil {
		log.Fatal(err)
	}
	first := end.Steps[1]
	fmt.Printf("dual value %.3f after %d iterations, %.3f at the end\n", first.Dual, first.Steps, end.Last().Dual)

	p := m3l.Problem[float64]{Kernel: k, Sets: sets, R: r, Start: &m3l.Result[float64]{Duals: end.Duals}}
	m, err := p.Fit(ctx, m3l.Config{C: 1, Tol: 1}) // it ends where it starts
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("certified: at least %.3f, and the model has %.3f\n", m.Certificate.Dual, m.Certificate.Primal)
	// Output:
	// dual value 6.975 after 4 iterations, 7.586 at the end
	// certified: at least 7.586, and the model has 7.586
}
