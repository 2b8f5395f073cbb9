package blas

import "unsafe"

func gerGeneric[T float](m, n int, alpha T, x, y, a *T, lda int) {
	if n <= 0 {
		return
	}
	for i, v := range unsafe.Slice(x, max(m, 0)) {
		axpyGeneric(alpha*v, y, at(a, i*lda), n)
	}
}

// at returns the address of p[i].
func at[T float](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
}

func gerF32Generic(m, n int, alpha float32, x, y, a *float32, lda int) {
	gerGeneric(m, n, alpha, x, y, a, lda)
}

func gerF64Generic(m, n int, alpha float64, x, y, a *float64, lda int) {
	gerGeneric(m, n, alpha, x, y, a, lda)
}
