package project_test

import (
	"fmt"

	"github.com/dualgap/dualgap/project"
)

// wrong moves x off the solution, and returns both residuals.
func wrong(x []float64, residual func() float64) string {
	before := residual()
	x[0] += 0.125
	return fmt.Sprintf("right: %t, then off by %.3f", before < 1e-15, residual())
}

func ExampleResidualSimplex() {
	a := []float64{0.5, 1.5, -3}
	x := make([]float64, 3)
	th := project.Simplex(x, a, project.Equal, 1, nil)
	fmt.Println(wrong(x, func() float64 { return project.ResidualSimplex(a, x, project.Equal, 1, th) }))
	// Output: right: true, then off by 0.125
}

func ExampleResidualKnapsack() {
	a := []float64{3, 1, 0.5, -1}
	x := make([]float64, 4)
	th, err := project.Knapsack(x, a, 0, 1, project.Equal, 2, nil)
	fmt.Println(wrong(x, func() float64 { return project.ResidualKnapsack(a, x, 0, 1, project.Equal, 2, th) }), err)
	// Output: right: true, then off by 0.125 <nil>
}

func ExampleResidualWeightedKnapsack() {
	a, b := []float64{1, 1}, []float64{1, 2}
	l, u := []float64{0, 0}, []float64{1, 1}
	x := make([]float64, 2)
	th, err := project.WeightedKnapsack(x, a, b, l, u, project.AtMost, 2, nil)
	fmt.Println(wrong(x, func() float64 {
		return project.ResidualWeightedKnapsack(a, b, l, u, x, project.AtMost, 2, th)
	}), err)
	// Output: right: true, then off by 0.125 <nil>
}

func ExampleResidualTopKSimplexBeta() {
	a := []float64{3, -1, -1}
	x := make([]float64, 3)
	th := project.TopKSimplexBeta(x, a, 2, 1, 0, nil)
	fmt.Println(wrong(x, func() float64 { return project.ResidualTopKSimplexBeta(a, x, 2, 1, 0, th) }))
	// Output: right: true, then off by 0.125
}

func ExampleResidualPermutahedron() {
	a, beta := []float64{3, -1, -1}, []float64{1, .5}
	x := make([]float64, 3)
	th := project.Permutahedron(x, a, beta, 1, 0, nil)
	fmt.Println(wrong(x, func() float64 { return project.ResidualPermutahedron(a, x, beta, 1, 0, th) }))
	// Output: right: true, then off by 0.125
}

func ExampleResidualL1Ball() {
	a := []float64{3, -2, 0.5}
	x := make([]float64, 3)
	th := project.L1Ball(x, a, 3, nil)
	fmt.Println(wrong(x, func() float64 { return project.ResidualL1Ball(a, x, 3, th) }))
	// Output: right: true, then off by 0.125
}

func ExampleResidualL2Ball() {
	a := []float64{3, 4}
	x := make([]float64, 2)
	lambda := project.L2Ball(x, a, 1)
	fmt.Println(wrong(x, func() float64 { return project.ResidualL2Ball(a, x, 1, lambda) }))
	// Output: right: true, then off by 0.411
}
