package tracenorm_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/solvers/tracenorm"
)

// From LargestLambda1 on nothing is learned; a twentieth of it is a place to begin.
func ExampleProblem_LargestLambda1() {
	x, _, y, _ := digits()
	p := tracenorm.Problem[float64]{X: x, Y: y}
	most, err := p.LargestLambda1(tracenorm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	for _, lambda1 := range []float64{1.01 * most, most / 20} {
		r, err := p.Fit(context.Background(), tracenorm.Config{Lambda1: lambda1, Lambda2: most / 200})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("rank above 0:", len(r.Spectrum) > 0)
	}
	// Output:
	// rank above 0: false
	// rank above 0: true
}
