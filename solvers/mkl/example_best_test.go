package mkl_test

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers/mkl"
)

func ExampleBest() {
	points := []mkl.Point[float64]{{P: 2, C: 1, Accuracy: .8}, {P: 1.1, C: 10, Accuracy: .9}}
	best := points[mkl.Best(points)]
	fmt.Println(best.P, best.C)
	// Output: 1.1 10
}
