package ascent

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestZero: what Zero says of weights and dual variables that are 0 is to the bit what a certificate of them says,
// whatever the order of its sums: a model that is 0 is neither better nor worse than itself.
func TestZero(t *testing.T) { prove.Both(t, testZero[float32], testZero[float64]) }

func testZero[T vec.Float](t *testing.T) {
	const n, m = 620, 5
	x, y := blobs[T](rand.New(rand.NewPCG(71, 72)), n, 6, m)
	uneven := hinge(t, design.Matrix[T](x), y, m, 2, .0123)
	for i := range uneven.Radius {
		uneven.Radius[i] *= float64(i%7) / 3
	}
	bykernel := gaussian[T](t, n, .0123)
	bykernel.Radius = uneven.Radius
	for name, p := range map[string]Problem[T]{
		"features": uneven, "kernel": bykernel, "groups": squared[T](t, n, 12, 40),
		"coupled": labelled(t, design.Matrix[T](x), 4, 2, true), "labels": labelled(t, design.Matrix[T](x), 4, 0,
			false),
	} {
		for workers := 1; workers <= 3; workers++ {
			s, err := New(p, Options{Options: solvers.Options{Tol: 1e-3, Workers: workers}})
			if err != nil {
				t.Fatal(err)
			}
			if zero, c := s.Zero(), certify(t, s); zero != c {
				t.Errorf("%s, %d workers: %v, certified as %v", name, workers, zero, c)
			}
		}
	}
}
