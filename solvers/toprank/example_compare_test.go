package toprank_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/toprank"
)

// The paper's own method, and how it comes near the optimum.
func ExampleProblem_Pairs() {
	x, positive := goodReturns()
	k, err := kernel.New(x, kernel.Gaussian{Gamma: .05}, 1<<22)
	if err != nil {
		log.Fatal(err)
	}
	p, c := toprank.Problem[float64]{Kernel: k, Positive: positive}, toprank.Config{C: .01}
	_, steps, err := p.Pairs(context.Background(), c, toprank.PairOptions{Steps: 2000, Every: 500})
	if err != nil {
		log.Fatal(err)
	}
	first, last := steps[0], steps[len(steps)-1]
	fmt.Println("the dual rises:", last.Dual > first.Dual)
	fmt.Println("the gap closes:", last.Primal-last.Dual < first.Primal-first.Dual)
	// Output:
	// the dual rises: true
	// the gap closes: true
}

// Steps along subgradients come near the optimum, and Fit comes nearer.
func ExampleProblem_Gradient() {
	x, positive := goodReturns()
	p, c := toprank.Problem[float64]{X: x, Positive: positive}, toprank.Config{C: .01}
	_, steps, err := p.Gradient(context.Background(), c, toprank.GradientOptions{Steps: 100})
	if err != nil {
		log.Fatal(err)
	}
	best, err := p.Fit(context.Background(), c)
	if err != nil {
		log.Fatal(err)
	}
	last := steps[len(steps)-1]
	fmt.Println("a lower primal by Fit:", best.Certificate.Primal < last.Primal)
	// Output: a lower primal by Fit: true
}
