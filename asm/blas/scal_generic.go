package blas

import "unsafe"

func scalGeneric[T float](alpha T, x *T, n int) {
	xs := unsafe.Slice(x, n)
	for i := range xs {
		xs[i] *= alpha
	}
}

func scalF32Generic(alpha float32, x *float32, n int) { scalGeneric(alpha, x, n) }
func scalF64Generic(alpha float64, x *float64, n int) { scalGeneric(alpha, x, n) }
