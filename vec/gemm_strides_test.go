package vec_test

import (
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestGemmStrides: the bits do not depend on strides, though these decide what is copied, and with it whether lanes are
// rows or columns.
func TestGemmStrides(t *testing.T) { prove.Both(t, gemmStrides[float32], gemmStrides[float64]) }

func gemmStrides[T vec.Float](t *testing.T) {
	r := prove.Rand(6)
	draw := func(rows, cols, stride int) vec.Matrix[T] {
		x := vec.Matrix[T]{Rows: rows, Cols: cols, Stride: stride, Data: make([]T, rows*stride)}
		for i := range x.Data {
			x.Data[i] = T(r.NormFloat64())
		}
		return x
	}
	// Rows of a compete for places in the cache.
	a, b, old := draw(64, 700, 1024), draw(700, 100, 100), draw(64, 100, 104)
	apart := vec.NewMatrix[T](a.Rows, a.Cols)
	for i := range a.Rows {
		copy(apart.Row(i), a.Row(i))
	}
	prove.Tiers(func(tier cpu.Tier) {
		for _, beta := range []T{0, 1, 0.3} {
			want, got := draw(old.Rows, old.Cols, old.Stride), draw(old.Rows, old.Cols, old.Cols)
			for i := range old.Rows {
				copy(want.Row(i), old.Row(i))
				copy(got.Row(i), old.Row(i))
			}
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1.1, apart, b, beta, want)
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1.1, a, b, beta, got)
			for i := range want.Rows {
				equal(t, tier.String(), got.Row(i), want.Row(i))
			}
		}
	})
}

// TestGemmFar: products with long columns of a matrix whose rows lie far apart, and which no cache near the CPU holds,
// take ways of their own.
func TestGemmFar(t *testing.T) { prove.Both(t, gemmFar[float32], gemmFar[float64]) }

func gemmFar[T vec.Float](t *testing.T) {
	r := prove.Rand(7)
	for _, n := range []int{10, 32} {
		if n > 10 && testing.Short() {
			continue
		}
		g := &gemmCall[T]{ta: true, m: 520, n: n, k: 700, alpha: 2, beta: -1}
		g.integers(r)
		g.exact(t, runGemm[T])
	}
}
