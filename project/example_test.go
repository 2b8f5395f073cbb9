package project_test

import (
	"fmt"

	"github.com/dualgap/dualgap/project"
)

func ExampleTopKSimplex() {
	a := []float64{0.9, 0.6, 0.5, -1, 0.1}
	x := make([]float64, len(a))
	var w project.Workspace[float64] // keep it: later calls allocate nothing
	th := project.TopKSimplex(x, a, 2, 1, 0, &w)
	fmt.Printf("x = %.2f\n", x)
	fmt.Printf("t = %.2f, u = %.2f, %d at the cap, %d between\n", th.T, th.U, th.Cap, th.Mid)
	// Output:
	// x = [0.50 0.30 0.20 0.00 0.00]
	// t = 0.30, u = 0.50, 1 at the cap, 2 between
}

func ExampleTopKSimplexBeta() {
	a := []float32{3, -1, -1}
	var w project.Workspace[float32]
	project.TopKSimplexBeta(a, a, 2, 1, 0, &w) // in place
	fmt.Println(a)

	a = []float32{3, -1, -3}
	project.TopKSimplex(a, a, 2, 10, 0, &w) // one element alone may not be positive in the top-2 simplex
	fmt.Println(a)
	// Output:
	// [0.5 0 0]
	// [1 1 0]
}
