package tracenorm_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/solvers/tracenorm"
)

func ExampleBest() {
	points := []tracenorm.Point[float64]{
		{Lambda1: .1, Accuracy: []float64{.8}},
		{Lambda1: .01, Accuracy: []float64{.9}},
	}
	fmt.Println(points[tracenorm.Best(points, 1)].Lambda1)
	// Output: 0.01
}

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
