package blas

import "unsafe"

func sumGeneric[T float](x *T, n int) T {
	xs := unsafe.Slice(x, n)
	var s0, s1, s2, s3 T
	i := 0
	for ; i+4 <= n; i += 4 {
		a := xs[i : i+4 : i+4]
		s0 += a[0]
		s1 += a[1]
		s2 += a[2]
		s3 += a[3]
	}
	for ; i < n; i++ {
		s0 += xs[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func sumF32Generic(x *float32, n int) float32 { return sumGeneric(x, n) }
func sumF64Generic(x *float64, n int) float64 { return sumGeneric(x, n) }
