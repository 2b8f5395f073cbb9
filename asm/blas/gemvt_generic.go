package blas

import "unsafe"

// gemvtGeneric adds row after row, so that it reads A in the order in which it lies.
func gemvtGeneric[T float](m, n int, alpha T, a *T, lda int, x *T, beta T, y *T) {
	if n <= 0 {
		return
	}
	if beta == 0 {
		clear(unsafe.Slice(y, n))
	} else {
		scalGeneric(beta, y, n)
	}
	for i, v := range unsafe.Slice(x, max(m, 0)) {
		axpyGeneric(alpha*v, at(a, i*lda), y, n)
	}
}

func gemvtF32Generic(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32) {
	gemvtGeneric(m, n, alpha, a, lda, x, beta, y)
}

func gemvtF64Generic(m, n int, alpha float64, a *float64, lda int, x *float64, beta float64, y *float64) {
	gemvtGeneric(m, n, alpha, a, lda, x, beta, y)
}
