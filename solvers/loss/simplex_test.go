package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// simplex is the projection of package project.
func TestSimplex(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testSimplex[float64](t, 0x1p-52) })
	t.Run("float32", func(t *testing.T) { testSimplex[float32](t, 0x1p-23) })
}

func testSimplex[T vec.Float](t *testing.T, eps float64) {
	rng := rand.New(rand.NewPCG(17, 18))
	var w project.Workspace[T]
	var work Workspace[T]
	for range 5000 {
		m := 1 + rng.IntN(120)
		r, rho := T(math.Pow(10, float64(rng.IntN(7)-3))), T(1)
		if rng.IntN(2) == 0 {
			rho = T(rng.Float64()) + 1e-3
		}
		a := draw[T](rng, m, math.Pow(10, float64(rng.IntN(7)-3)))
		if rng.IntN(4) == 0 {
			for j := range a {
				a[j] -= 3
			}
		}
		b, want := append([]T(nil), a...), make([]T, m)
		simplex(b, float64(r), rho, &work)
		project.TopKSimplex(want, a, 1, r, rho, &w)
		size := float64(r)
		for _, v := range a {
			size = max(size, math.Abs(float64(v)))
		}
		for j := range b {
			if math.Abs(float64(b[j]-want[j])) > 4*eps*size*float64(m) {
				t.Fatalf("r=%v rho=%v a=%v: [%d] is %v, want %v", r, rho, a, j, b[j], want[j])
			}
		}
	}
	for _, bad := range []T{T(math.NaN()), T(math.Inf(1))} { // ends, whatever the result
		b := []T{1, bad, -1}
		simplex(b, 1, 1, &work)
	}
}
