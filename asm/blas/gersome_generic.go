package blas

import "unsafe"

func gerSomeGeneric[T float](m, n int, x, y, a *T, lda int) {
	for j, v := range unsafe.Slice(y, n) {
		if v == 0 {
			continue
		}
		for i, u := range unsafe.Slice(x, m) {
			p := at(a, i*lda+j)
			*p += u * v
		}
	}
}

func gersomeF32Generic(m, n int, x, y, a *float32, lda int) { gerSomeGeneric(m, n, x, y, a, lda) }

func gersomeF64Generic(m, n int, x, y, a *float64, lda int) { gerSomeGeneric(m, n, x, y, a, lda) }
