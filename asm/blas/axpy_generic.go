package blas

import "unsafe"

func axpyGeneric[T float](alpha T, x, y *T, n int) {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i, v := range xs {
		ys[i] += alpha * v
	}
}

func axpyF32Generic(alpha float32, x, y *float32, n int) { axpyGeneric(alpha, x, y, n) }
func axpyF64Generic(alpha float64, x, y *float64, n int) { axpyGeneric(alpha, x, y, n) }
