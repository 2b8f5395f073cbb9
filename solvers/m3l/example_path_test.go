package m3l_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
)

// Choose C by cross-validation with three folds.
func ExampleProblem_Path() {
	digits := samples.Digits[float32]()
	p := m3l.Problem[float32]{X: digits.X, Y: digits.Y, Names: digits.Classes}
	path := m3l.PathConfig{Cs: []float64{1e-5, 1e-3, 1e-2}, CrossValidation: solvers.CrossValidation{Folds: 3}}
	points, err := p.Path(context.Background(), m3l.Config{Tol: .01}, path) // a gap of 1% is enough to choose
	if err != nil {
		log.Fatal(err)
	}
	best := points[solvers.Best(points, 0)]
	fmt.Printf("C %v: %.1f%% of all labels wrong\n", best.C, 100*best.Measures[0].Mean)
	// Output:
	// C 0.001: 1.3% of all labels wrong
}
