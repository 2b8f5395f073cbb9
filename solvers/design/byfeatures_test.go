package design_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// A pass by features is within the bound of any order of summation and has the same bits for any number of workers.
func TestByFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	const n, d = 60, 20
	both, err := sparse(rng, n, d).WithColumns()
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]design.Matrix[float32]{
		"columns": both, "bias": design.WithBias(both, -2),
		"two biases": design.WithBias(design.WithBias(both, -2), 3), "window": design.Window(both, 3, n-5),
	} {
		n, d := x.Dims()
		plain := vec.NewMatrix[float32](n, d)
		x.Gather(plain, nil)
		for _, m := range []int{0, 2, 17} {
			w, a := matrix[float32](rng, d, m), matrix[float32](rng, n, m)
			first := copied(w)
			design.AccumulateAll(first, a, x, 1)
			for _, workers := range []int{0, 2, 7} {
				got := copied(w)
				design.AccumulateAll(got, a, x, workers)
				proveSums(t, fmt.Sprintf("%s, m = %d, %d workers", name, m, workers), got, plain, w, a)
				if name != "window" && m >= 16 && !equal(got, first) {
					t.Errorf("%s, m = %d: other bits with %d workers than with one", name, m, workers)
				}
			}
		}
	}
}
