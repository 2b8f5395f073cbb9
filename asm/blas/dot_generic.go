package blas

import "unsafe"

// dotGeneric keeps four sums, as wide as scalar units can use.
func dotGeneric[T float](x, y *T, n int) T {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	var s0, s1, s2, s3 T
	i := 0
	for ; i+4 <= n; i += 4 {
		a, b := xs[i:i+4:i+4], ys[i:i+4:i+4]
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
	}
	for ; i < n; i++ {
		s0 += xs[i] * ys[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func dotF32Generic(x, y *float32, n int) float32 { return dotGeneric(x, y, n) }
func dotF64Generic(x, y *float64, n int) float64 { return dotGeneric(x, y, n) }
