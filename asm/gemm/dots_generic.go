package gemm

import "unsafe"

func dotsGeneric[T float](m, n, k int, alpha T, a *T, lda int, b *T, ldb, _ int, beta T, c *T, ldc int) {
	for i := range m {
		x := unsafe.Slice(at(a, i*lda), k)
		for j := range n {
			var s0, s1 T
			y := unsafe.Slice(at(b, j*ldb), k)
			p := 0
			for ; p+1 < k; p += 2 {
				s0 += T(x[p] * y[p])
				s1 += T(x[p+1] * y[p+1])
			}
			if p < k {
				s0 += T(x[p] * y[p])
			}
			v, to := T(alpha*(s0+s1)), at(c, i*ldc+j)
			if beta != 0 {
				v += T(beta * *to)
			}
			*to = v
		}
	}
}

func dotsF32Generic(m, n, k int, alpha float32, a *float32, lda int, b *float32, ldb, nr int, beta float32, c *float32,
	ldc int) {
	dotsGeneric(m, n, k, alpha, a, lda, b, ldb, nr, beta, c, ldc)
}

func dotsF64Generic(m, n, k int, alpha float64, a *float64, lda int, b *float64, ldb, nr int, beta float64, c *float64,
	ldc int) {
	dotsGeneric(m, n, k, alpha, a, lda, b, ldb, nr, beta, c, ldc)
}
