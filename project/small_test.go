package project

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
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

// TestSmallIntegers: a threshold of integers is often one of them, but for rounding. Then Newton's method need not
// settle, and ends all the same, on every tier. Once it did not end on the first problem, with AVX-512.
func TestSmallIntegers(t *testing.T) {
	t.Run("f32", testSmallIntegers[float32])
	t.Run("f64", testSmallIntegers[float64])
}

func testSmallIntegers[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 0))
	var w Workspace[T]
	x := make([]T, 16)
	prove.Tiers(func(tier cpu.Tier) {
		a, k, r, rho := []T{8, 0, 3, 0, 9, 1, 5, 1, 6, 11}, 3, T(37), T(0.125)
		for range 20000 {
			th := TopKSimplex(x[:len(a)], a, k, r, rho, &w)
			if v := ResidualTopKSimplex(a, x[:len(a)], k, r, rho, th); !(v <= 1e-5) {
				t.Fatalf("%v: a=%v k=%d r=%v rho=%v: residual %v of %+v", tier, a, k, r, rho, v, th)
			}
			a = make([]T, 3+rng.IntN(14))
			for i := range a {
				a[i] = T(rng.IntN(12))
			}
			k, r, rho = 1+rng.IntN(len(a)), T(1+rng.IntN(40)), T(1+rng.IntN(12))/T(1+rng.IntN(8))
		}
	})
}
