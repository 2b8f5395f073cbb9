package rankone_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/papers/rankone"
	"github.com/dualgap/dualgap/vec"
)

// Digits, atom by atom, until the paper's conditions hold with its epsilon, .035.
func ExampleSolve() {
	data := samples.Digits[float64]()
	vec.Scale(1./16, data.X.Data)
	p := rankone.Problem[float64]{X: data.X, Y: data.Y, Classes: 10, Lambda1: .1, Lambda2: .01}
	r, err := rankone.Solve(context.Background(), p, rankone.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status, "with as many atoms as W's rank at least:", r.Last().Count >= len(r.Spectrum))
	fmt.Println("the objective falls:", r.Last().Primal < r.Steps[0].Primal)
	// Output:
	// converged with as many atoms as W's rank at least: true
	// the objective falls: true
}
