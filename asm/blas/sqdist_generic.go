package blas

import "unsafe"

func sqdistGeneric[T float](x, y *T, n int) T {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	var s0, s1, s2, s3 T
	i := 0
	for ; i+4 <= n; i += 4 {
		a, b := xs[i:i+4:i+4], ys[i:i+4:i+4]
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; i < n; i++ {
		d := xs[i] - ys[i]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}

func sqdistF32Generic(x, y *float32, n int) float32 { return sqdistGeneric(x, y, n) }
func sqdistF64Generic(x, y *float64, n int) float64 { return sqdistGeneric(x, y, n) }
