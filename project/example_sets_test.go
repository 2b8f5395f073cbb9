package project_test

import (
	"fmt"

	"github.com/dualgap/dualgap/project"
)

func ExampleBox() {
	x := []float64{3, -2, 0.5}
	project.Box(x, x, -1, 1)
	fmt.Println(x)
	// Output: [1 -1 0.5]
}

func ExampleL2Ball() {
	x := []float64{3, 4}
	lambda := project.L2Ball(x, x, 1)
	fmt.Printf("%.1f, multiplier %.1f\n", x, lambda)
	// Output: [0.6 0.8], multiplier 4.0
}

// With rho = 1 the solution is max(0, a_i - T), T the sum of it.
func ExampleOrthant() {
	x := []float64{3, 1, -2}
	th := project.Orthant(x, x, 1, nil)
	fmt.Println(x, th.T)
	// Output: [1.5 0 0] 1.5
}

// No element may be more than half of the sum.
func ExampleTopKCone() {
	x := []float64{4, 1, 0, -1}
	project.TopKCone(x, x, 2, 0, nil)
	fmt.Println(x)
	// Output: [3 2 1 0]
}

// No element may be above 1, no two above 1.5 together, no three above 1.75.
func ExamplePermutahedron() {
	x := []float64{4, 2.5, 2.5, -1}
	th := project.Permutahedron(x, x, []float64{1, .5, .25}, 1, 0, nil)
	fmt.Println(x, th.T, th.U)
	// Output: [1 0.375 0.375 0] 2.125 1
}

// The plain solution is TopKSimplex's; gamma draws it towards 0.
func ExampleTopKSimplexSmooth() {
	a := []float64{0.9, 0.3, -1}
	x := make([]float64, 3)
	for _, gamma := range []float64{0, 1} {
		project.TopKSimplexSmooth(x, a, 1, 1, 0, gamma, nil)
		fmt.Printf("gamma %v: %.2f\n", gamma, x)
	}
	// Output:
	// gamma 0: [0.80 0.20 0.00]
	// gamma 1: [0.45 0.15 0.00]
}

func ExampleTopKSimplexBetaSmooth() {
	a := []float64{3, -1, -3}
	x := make([]float64, 3)
	project.TopKSimplexBetaSmooth(x, a, 2, 1, 0, 1, nil)
	fmt.Printf("%.2f\n", x)
	// Output: [0.50 0.00 0.00]
}

// The larger gamma, the more even the elements.
func ExampleEntropySimplex() {
	a := []float64{1, 0}
	x := make([]float64, 2)
	for _, gamma := range []float64{0.1, 1, 100} {
		project.EntropySimplex(x, a, 1, gamma, nil)
		fmt.Printf("gamma %v: %.2f\n", gamma, x)
	}
	// Output:
	// gamma 0.1: [0.89 0.11]
	// gamma 1: [0.66 0.34]
	// gamma 100: [0.50 0.50]
}
