//go:build !amd64 || purego

package gemm

// On arm64, too, these kernels are their twins: Go's copy moves rows, and tiles are better than pure Go's dots.

func PackRowsF32(m, n int, src *float32, lds int, dst *float32, ldd int) {
	packrowsGeneric(m, n, src, lds, dst, ldd)
}

func PackRowsF64(m, n int, src *float64, lds int, dst *float64, ldd int) {
	packrowsGeneric(m, n, src, lds, dst, ldd)
}

func DotsF32(m, n, k int, alpha float32, a *float32, lda int, b *float32, ldb, nr int, beta float32, c *float32,
	ldc int) {
	dotsGeneric(m, n, k, alpha, a, lda, b, ldb, nr, beta, c, ldc)
}

func DotsF64(m, n, k int, alpha float64, a *float64, lda int, b *float64, ldb, nr int, beta float64, c *float64,
	ldc int) {
	dotsGeneric(m, n, k, alpha, a, lda, b, ldb, nr, beta, c, ldc)
}
