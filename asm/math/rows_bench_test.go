package math

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// BenchmarkRow has the rows of kernels beside ExpScaled, which is what a Gaussian row cannot do without. The bytes are
// the bytes of the numbers read and written.
func BenchmarkRow(b *testing.B) {
	b.Run("type=f32", benchmarkRow[float32])
	b.Run("type=f64", benchmarkRow[float64])
}

func benchmarkRow[T float](b *testing.B) {
	gaussian, gaussianAdd, pow, powAdd := rowKernels[T]()
	expScaled := prove.Pick[T, func(alpha T, x, y *T, n int)](ExpScaledF32, ExpScaledF64)
	for _, n := range []int{1000, 50000} {
		v, nz := drawn(n, products[T](1, 0))
		y, near := make([]T, n), make([]int32, n)
		for _, f := range []struct {
			name    string
			vectors int
			run     func()
		}{
			{"expscaled", 2, func() { expScaled(-0.1, ptr(nz), ptr(y), n) }},
			{"gaussian", 3, func() { gaussian(3, -0.1, ptr(v), ptr(nz), ptr(y), n, &near[0]) }},
			{"gaussianadd", 4, func() { gaussianAdd(3, -0.1, 1e-9, ptr(v), ptr(nz), ptr(y), n, &near[0]) }},
			{"power5", 2, func() { pow(0.1, 1, 5, ptr(v), ptr(y), n) }},
			{"poweradd5", 3, func() { powAdd(0.1, 1, 1e-9, 5, ptr(v), ptr(y), n) }},
		} {
			b.Run(fmt.Sprintf("n=%d/impl=%s", n, f.name), func(b *testing.B) {
				b.SetBytes(int64(f.vectors * n * prove.Pick[T, int](4, 8)))
				for b.Loop() {
					f.run()
				}
			})
		}
	}
}
