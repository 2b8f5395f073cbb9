package gonumblas_test

import "gonum.org/v1/gonum/blas"

// The routines that Implementation has of its own.

func (s shadow) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	return s.check(n, "dot", n, x, incX, y, incY).(float64)
}

func (s shadow) Dnrm2(n int, x []float64, incX int) float64 {
	return s.check(n, "nrm2", n, x, incX).(float64)
}

func (s shadow) Dasum(n int, x []float64, incX int) float64 {
	return s.check(n, "asum", n, x, incX).(float64)
}

func (s shadow) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	s.check(2, "axpy", n, alpha, x, incX, y, incY)
}

func (s shadow) Dscal(n int, alpha float64, x []float64, incX int) {
	s.check(1, "scal", n, alpha, x, incX)
}

func (s shadow) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	s.check(max(m, n), "gemv", tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

func (s shadow) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	s.check(2, "ger", m, n, alpha, x, incX, y, incY, a, lda)
}

func (s shadow) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64,
	y []float64, incY int) {
	s.check(n, "symv", ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

func (s shadow) Dsyr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int) {
	s.check(2, "syr", ul, n, alpha, x, incX, a, lda)
}

func (s shadow) Dsyr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int) {
	s.check(3, "syr2", ul, n, alpha, x, incX, y, incY, a, lda)
}

func (s shadow) Dtrmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	s.check(n, "trmv", ul, tA, d, n, a, lda, x, incX)
}

func (s shadow) Dtrsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	s.check(n, "trsv", ul, tA, d, n, a, lda, x, incX)
}

func (s shadow) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	s.check(k, "gemm", tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (s shadow) Dsymm(side blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	s.check(max(m, n), "symm", side, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (s shadow) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	s.check(k, "syrk", ul, tA, n, k, alpha, a, lda, beta, c, ldc)
}

func (s shadow) Dsyr2k(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	s.check(2*k, "syr2k", ul, tA, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (s shadow) Dtrmm(side blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	s.check(max(m, n), "trmm", side, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

func (s shadow) Dtrsm(side blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	s.check(max(m, n), "trsm", side, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}
