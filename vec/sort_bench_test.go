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

// sortBench times f on many unsorted vectors in turn, so that no branch is learnt by heart; the time includes a copy of
// each.
func sortBench[T vec.Float](b *testing.B, name string, n int, f func(x []T)) {
	vectors := max(1, 65536/n)
	r := prove.Rand(1)
	base, x := make([]T, n*vectors), make([]T, n)
	for i := range base {
		base[i] = T(r.NormFloat64())
	}
	i := 0
	eachTier(b, fmt.Sprintf("type=%s/n=%d", name, n), n*prove.Pick[T, int](4, 8), func() {
		copy(x, base[i*n:])
		f(x)
		i = (i + 1) % vectors
	})
}
