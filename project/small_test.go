package project

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// TestSmallSolves: the simplex is not left to others for want of a sharp bound, whatever its radius.
func TestSmallSolves(t *testing.T) {
	if cpu.Level != cpu.AVX512 {
		t.Skip("only with AVX-512")
	}
	t.Run("f32", func(t *testing.T) { testSmallSolves[float32](t, 128) })
	t.Run("f64", func(t *testing.T) { testSmallSolves[float64](t, 64) })
}

func testSmallSolves[T vec.Float](t *testing.T, most int) {
	rng := rand.New(rand.NewPCG(17, uint64(most)))
	var w Workspace[T]
	for d := 17; d <= most; d++ {
		a, x := make([]T, d), make([]T, d)
		for _, r := range []float64{0.1, 1, 1e6} {
			for range 10 {
				for i := range a {
					a[i] = T(rng.NormFloat64())
				}
				if !w.small(x, a, 1, unchecked.SmallSimplex, r, 1) {
					t.Fatalf("d=%d r=%v: left to others: %v", d, r, a)
				}
				th := w.problem.thresholds()
				if v := ResidualTopKSimplex(a, x, 1, T(r), 1, th); !(v <= 1e-5) {
					t.Fatalf("d=%d r=%v: residual %v of %+v", d, r, v, th)
				}
			}
		}
	}
}
