package blas

import "unsafe"

func rotsGeneric[T float](m, n int, c, s, a *T, lda int) {
	if n <= 0 {
		return
	}
	cs, ss := unsafe.Slice(c, m), unsafe.Slice(s, m)
	for i, c := range cs {
		s := ss[i]
		upper, lower := unsafe.Slice(at(a, i*lda), n), unsafe.Slice(at(a, (i+1)*lda), n)
		for j, x := range upper {
			y := lower[j]
			upper[j], lower[j] = c*x+s*y, c*y-s*x
		}
	}
}

func rotsF32Generic(m, n int, c, s, a *float32, lda int) { rotsGeneric(m, n, c, s, a, lda) }
func rotsF64Generic(m, n int, c, s, a *float64, lda int) { rotsGeneric(m, n, c, s, a, lda) }
