package topk_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// Choose Lambda by cross-validation with three folds.
func ExampleProblem_Path() {
	digits := samples.Digits[float32]()
	p := topk.Problem[float32]{X: digits.X, Y: digits.Y, Names: digits.Classes}
	path := topk.PathConfig{Lambdas: []float64{100, 1, .1}, CrossValidation: solvers.CrossValidation{Folds: 3}}
	points, err := p.Path(context.Background(), topk.Config{Tol: .01}, path) // a gap of 1% is enough to choose
	if err != nil {
		log.Fatal(err)
	}
	best := points[solvers.Best(points, 0)]
	fmt.Printf("lambda %v: %.0f%% right\n", best.Lambda, 100*best.Measures[0].Mean)
	// Output:
	// lambda 0.1: 96% right
}

// The path of ExampleProblem_Path in four shares, each of which could run in a process of its own.
func ExampleProblem_PathFold() {
	digits := samples.Digits[float32]()
	p := topk.Problem[float32]{X: digits.X, Y: digits.Y, Names: digits.Classes}
	path := topk.PathConfig{Lambdas: []float64{100, 1, .1}, CrossValidation: solvers.CrossValidation{Folds: 3}}
	share := func(which int) []topk.Point[float32] {
		points, err := p.PathFold(context.Background(), topk.Config{Tol: .01}, path, which)
		if err != nil {
			log.Fatal(err)
		}
		return points
	}
	points := share(solvers.AllRows)
	found, err := solvers.JoinFolds([][]topk.Point[float32]{share(0), share(1), share(2)})
	if err != nil {
		log.Fatal(err)
	}
	for k := range points {
		points[k].Validation = found[k]
	}
	best := points[solvers.Best(points, 0)]
	fmt.Printf("lambda %v: %.0f%% right\n", best.Lambda, 100*best.Measures[0].Mean)
	// Output:
	// lambda 0.1: 96% right
}

// Four documents, each about any number of three topics.
func ExampleProblem_sets() {
	words := vec.MatrixOf(4, 3, []float64{
		2, 0, 0,
		0, 2, 0,
		1, 0, 1,
		1, 1, 0,
	})
	topics := [][]int{{0}, {1}, {0, 2}, {0, 1}}
	p := topk.Problem[float64]{X: &dataset.Dense[float64]{Matrix: words}, Sets: topics}
	r, err := p.Fit(context.Background(), topk.Config{Lambda: .01})
	if err != nil {
		log.Fatal(err)
	}
	best := make([]int, 2)
	r.Linear.TopK(best, []float64{2, 0, 1})
	fmt.Println(best)
	// Output:
	// [0 2]
}
