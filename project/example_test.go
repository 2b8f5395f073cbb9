package project_test

import (
	"fmt"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
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

func ExampleKnapsack() {
	a := []float64{3, 1, 0.5, -1}
	x := make([]float64, len(a))
	th, err := project.Knapsack(x, a, 0, 1, project.Equal, 2, nil)
	fmt.Println(x, th.T, err)
	_, err = project.Knapsack(x, a, 0, 1, project.Equal, 5, nil)
	fmt.Println(err)
	// Output:
	// [1 0.75 0.25 0] 0.25 <nil>
	// project: Knapsack: 4 elements between 0 and 1 cannot sum to 5
}

func ExampleSimplex() {
	a := []float32{0.5, 1.5, -3}
	var w project.Workspace[float32]
	th := project.Simplex(a, a, project.Equal, 1, &w) // in place
	fmt.Println(a, th.T)
	// Output: [0 1 0] 0.5
}

func ExampleL1Ball() {
	a := []float64{3, -2, 0.5}
	project.L1Ball(a, a, 3, nil)
	fmt.Println(a)
	// Output: [2 -1 0]
}

func ExampleWeightedKnapsack() {
	a, b := []float64{1, 1}, []float64{1, 2}
	l, u := []float64{0, 0}, []float64{1, 1}
	x := make([]float64, 2)
	th, _ := project.WeightedKnapsack(x, a, b, l, u, project.AtMost, 2, nil)
	fmt.Printf("%.1f, multiplier %.1f\n", x, th.Lambda)
	// Output: [0.8 0.6], multiplier 0.2
}

func ExampleGroupBall() {
	a := vec.MatrixOf(2, 2, []float64{3, 4, 0, 1})
	project.GroupBall(a, a, 1, 3, nil) // lengths 5 and 1 lose 2 and 1
	fmt.Printf("%.1f\n", a.Data)
	// Output: [1.8 2.4 0.0 0.0]
}

func ExampleRows() {
	a := vec.MatrixOf(2, 3, []float64{3, 2, 1, -1, 0.25, 0})
	var w project.Workspace[float64]
	project.Rows(a, a, nil, func(dst, a []float64) project.Thresholds {
		return project.Simplex(dst, a, project.AtMost, 1, &w)
	})
	fmt.Println(a.Data)
	// Output: [1 0 0 0 0.25 0]
}

func ExampleTopKEntropy() {
	a := []float64{2, 1, -2}
	x := make([]float64, 3)
	th := project.TopKEntropy(x, a, 2, 1, 1, 1, nil)
	fmt.Printf("%.3f, %d at the cap\n", x, th.Cap)
	// Output: [0.376 0.352 0.024], 1 at the cap
}

func ExampleResidualTopKSimplex() {
	a := []float64{0.9, 0.6, 0.5, -1, 0.1}
	x := make([]float64, len(a))
	th := project.TopKSimplex(x, a, 2, 1, 0, nil)
	fmt.Println(project.ResidualTopKSimplex(a, x, 2, 1, 0, th) < 1e-15)
	x[0] -= 0.01
	fmt.Printf("%.2f\n", project.ResidualTopKSimplex(a, x, 2, 1, 0, th))
	// Output:
	// true
	// 0.01
}
