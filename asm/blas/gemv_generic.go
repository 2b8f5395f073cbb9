package blas

import "unsafe"

func gemvGeneric[T float](m, n int, alpha T, a *T, lda int, x *T, beta T, y *T) {
	for i, ys := 0, unsafe.Slice(y, max(m, 0)); i < m; i++ {
		var s T
		if n > 0 {
			s = alpha * dotGeneric(at(a, i*lda), x, n)
		}
		if beta != 0 {
			s += beta * ys[i]
		}
		ys[i] = s
	}
}

func gemvF32Generic(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32) {
	gemvGeneric(m, n, alpha, a, lda, x, beta, y)
}

func gemvF64Generic(m, n int, alpha float64, a *float64, lda int, x *float64, beta float64, y *float64) {
	gemvGeneric(m, n, alpha, a, lda, x, beta, y)
}
