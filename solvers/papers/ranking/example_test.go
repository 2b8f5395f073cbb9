package ranking_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/ranking"
	"github.com/dualgap/dualgap/solvers/toprank"
)

// returns are radar returns from the ionosphere, and which of them are good.
func returns() (design.Matrix[float64], []bool) {
	data := samples.Ionosphere[float64]()
	positive := make([]bool, len(data.Y))
	for i, y := range data.Y {
		positive[i] = y == 1
	}
	return data.X, positive
}

// The paper's own method, and how it comes near the optimum.
func ExamplePairs() {
	x, positive := returns()
	k, err := kernel.New(x, kernel.Gaussian{Gamma: .05}, 1<<22)
	if err != nil {
		log.Fatal(err)
	}
	r, err := ranking.Pairs(context.Background(), k, ranking.Losses{Positive: positive, C: .01},
		ranking.Options{Options: papers.Options{Steps: 2000, Every: 500}})
	if err != nil {
		log.Fatal(err)
	}
	first, last := r.Steps[0], r.Last()
	fmt.Println("the dual rises:", last.Dual > first.Dual)
	fmt.Println("the gap closes:", last.Gap() < first.Gap())
	// Output:
	// the dual rises: true
	// the gap closes: true
}

// Steps along subgradients come near the optimum, and toprank comes nearer, from where they end.
func ExampleSubgradient() {
	x, positive := returns()
	r, err := ranking.Subgradient(context.Background(), x, ranking.Losses{Positive: positive, C: .01},
		ranking.Options{Options: papers.Options{Steps: 100}})
	if err != nil {
		log.Fatal(err)
	}
	start := &toprank.Result[float64]{Alpha: r.Alpha, Beta: r.Beta}
	p := toprank.Problem[float64]{X: x, Positive: positive, Start: start}
	best, err := p.Fit(context.Background(), toprank.Config{C: .01})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("a lower primal by Fit:", best.Certificate.Primal < r.Last().Primal)
	// Output: a lower primal by Fit: true
}
