package vec_test

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{16, 100, 1000, 10_000, 1_000_000} {
		sortBench(b, "f32", n, vec.Sort[float32])
		sortBench(b, "f64", n, vec.Sort[float64])
	}
}

// sortBench times f, which sorts, with the time for a copy of each vector.
func sortBench[T vec.Float](b *testing.B, name string, n int, f func(x []T)) {
	work := make([]T, n)
	turnBench(b, name, n, func(x []T) {
		copy(work, x)
		f(work)
	})
}

// turnBench times f on many random vectors in turn, so that no branch is learnt by heart.
func turnBench[T vec.Float](b *testing.B, name string, n int, f func(x []T)) {
	vectors := max(1, 65536/n)
	r := prove.Rand(1)
	base := make([]T, n*vectors)
	for i := range base {
		base[i] = T(r.NormFloat64())
	}
	i := 0
	eachTier(b, fmt.Sprintf("type=%s/n=%d", name, n), n*prove.Pick[T, int](4, 8), func() {
		f(base[i*n:][:n])
		i = (i + 1) % vectors
	})
}

func BenchmarkArgSort(b *testing.B) {
	for _, n := range []int{16, 100, 1000, 10_000, 1_000_000} {
		idx := make([]int32, n)
		turnBench(b, "f32", n, func(x []float32) { vec.ArgSort(idx, x) })
		turnBench(b, "f64", n, func(x []float64) { vec.ArgSort(idx, x) })
	}
}

func BenchmarkSortPairs(b *testing.B) {
	for _, n := range []int{16, 100, 1000, 10_000, 1_000_000} {
		payload := make([]int32, n)
		sortBench(b, "f32", n, func(x []float32) { vec.SortPairs(x, payload) })
		sortBench(b, "f64", n, func(x []float64) { vec.SortPairs(x, payload) })
	}
}

func BenchmarkTopK(b *testing.B) {
	for _, n := range []int{1000, 10_000, 1_000_000} {
		for _, k := range []int{10, 100} {
			idx := make([]int32, k)
			v32, v64 := make([]float32, k), make([]float64, k)
			turnBench(b, fmt.Sprintf("f32/k=%d", k), n, func(x []float32) { vec.TopK(v32, idx, x) })
			turnBench(b, fmt.Sprintf("f64/k=%d", k), n, func(x []float64) { vec.TopK(v64, idx, x) })
		}
	}
}
