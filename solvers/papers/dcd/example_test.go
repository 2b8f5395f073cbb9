package dcd_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/papers/dcd"
	"github.com/dualgap/dualgap/vec"
)

// The paper's linear method, and what package m3l certifies of where it ends.
func ExampleSolve() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 2, []float64{1, 0, 1, 1, 0, 1, -1, 1})}
	sets := [][]int{{0}, {0, 1}, {1}, {}}
	r := vec.MatrixOf(2, 2, []float64{1, .5, .5, 1}) // both labels together are likely
	ctx := context.Background()
	paper := dcd.Problem[float64]{X: x, Sets: sets, Labels: 2, R: r, C: 1}
	end, err := dcd.Solve(ctx, paper, dcd.Options{Tau: 1e-6})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: primal %.3f, dual %.3f\n", end.Status, end.Last().Primal, end.Last().Dual)

	p := m3l.Problem[float64]{X: x, Sets: sets, R: r, Start: &m3l.Result[float64]{Duals: end.Duals}}
	m, err := p.Fit(ctx, m3l.Config{C: 1, Tol: 1}) // it ends where it starts
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("certified: at least %.3f, and the model has %.3f\n", m.Certificate.Dual, m.Certificate.Primal)
	// Output:
	// converged: primal 8.333, dual 8.333
	// certified: at least 8.333, and the model has 8.333
}

// Sparse examples are neither copied nor filled with zeros.
func ExampleSolve_sparse() {
	x, err := dataset.NewCSR(1000, []int{0, 2, 3, 5, 6}, []int32{3, 700, 3, 700, 999, 999},
		[]float64{1, 1, 2, 1, 1, 1})
	if err != nil {
		log.Fatal(err)
	}
	paper := dcd.Problem[float64]{X: design.Matrix[float64](x), Sets: [][]int{{0}, {0}, {1}, {1}}, Labels: 2, C: 1}
	end, err := dcd.Solve(context.Background(), paper, dcd.Options{})
	if err != nil {
		log.Fatal(err)
	}
	scores := vec.NewMatrix[float64](4, 2)
	for i := range 4 {
		columns, values := x.Row(i)
		for l := range 2 {
			scores.Row(i)[l] = vec.SparseDot(columns, values, end.Z.Row(l))
		}
	}
	fmt.Printf("%v, scores %.2f\n", end.Status, scores.Data)
	// Output: converged, scores [1.00 -1.00 2.00 -2.00 -1.00 1.00 -1.00 1.00]
}
