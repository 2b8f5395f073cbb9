package gonumblas

import (
	"math"

	kernel "github.com/dualgap/dualgap/asm/blas"
	"gonum.org/v1/gonum/blas"
)

// Each routine obeys the rules of the BLAS, and of gonum.

var _ blas.Float64 = Implementation{}

// Ddot returns xᵀ y.
func (i Implementation) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if !unit(n, len(x), incX, len(y), incY) {
		return i.Implementation.Ddot(n, x, incX, y, incY)
	}
	return kernel.DotF64(&x[0], &y[0], n)
}

// Dnrm2 returns the Euclidean norm of x.
func (i Implementation) Dnrm2(n int, x []float64, incX int) float64 {
	if unit(n, len(x), incX, n, 1) {
		if s := kernel.SqNormF64(&x[0], n); s >= safeSquare64 && s <= math.MaxFloat64 {
			return math.Sqrt(s)
		}
	}
	return i.Implementation.Dnrm2(n, x, incX)
}

// Dasum returns the sum of |x_i|.
func (i Implementation) Dasum(n int, x []float64, incX int) float64 {
	if !unit(n, len(x), incX, n, 1) {
		return i.Implementation.Dasum(n, x, incX)
	}
	return kernel.AbsSumF64(&x[0], n)
}

// Daxpy adds alpha x to y.
func (i Implementation) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	if alpha == 0 || !unit(n, len(x), incX, len(y), incY) {
		i.Implementation.Daxpy(n, alpha, x, incX, y, incY)
		return
	}
	kernel.AxpyF64(alpha, &x[0], &y[0], n)
}

// Dscal multiplies x by alpha.
func (i Implementation) Dscal(n int, alpha float64, x []float64, incX int) {
	if alpha == 0 || !unit(n, len(x), incX, n, 1) {
		i.Implementation.Dscal(n, alpha, x, incX)
		return
	}
	kernel.ScalF64(alpha, &x[0], n)
}

// Dgemv sets y = alpha op(A) x + beta y.
func (i Implementation) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	if !gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY) {
		i.Implementation.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// Dger adds alpha x yᵀ to A.
func (i Implementation) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int) {
	if !ger(m, n, alpha, x, incX, y, incY, a, lda) {
		i.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda)
	}
}

// Dsymv sets y = alpha A x + beta y with a symmetric A, of which one triangle is read.
func (i Implementation) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	if !symv(ul, n, alpha, a, lda, x, incX, beta, y, incY) {
		i.Implementation.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// Dsyr adds alpha x xᵀ to one triangle of A.
func (i Implementation) Dsyr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int) {
	if !syr(ul, n, alpha, x, incX, a, lda) {
		i.Implementation.Dsyr(ul, n, alpha, x, incX, a, lda)
	}
}

// Dsyr2 adds alpha (x yᵀ + y xᵀ) to one triangle of A.
func (i Implementation) Dsyr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	a []float64, lda int) {
	if !syr2(ul, n, alpha, x, incX, y, incY, a, lda) {
		i.Implementation.Dsyr2(ul, n, alpha, x, incX, y, incY, a, lda)
	}
}

// Dtrmv sets x = op(A) x with a triangular A.
func (i Implementation) Dtrmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	if !trmv(ul, tA, d, n, a, lda, x, incX) {
		i.Implementation.Dtrmv(ul, tA, d, n, a, lda, x, incX)
	}
}

// Dtrsv solves op(A) x = b with a triangular A: x holds b before, and the solution afterwards.
func (i Implementation) Dtrsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	if !trsv(ul, tA, d, n, a, lda, x, incX) {
		i.Implementation.Dtrsv(ul, tA, d, n, a, lda, x, incX)
	}
}

// Dgemm sets C = alpha op(A) op(B) + beta C.
func (i Implementation) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	if !gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) {
		i.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	}
}

// Dsymm sets C = alpha A B + beta C, or alpha B A + beta C, with a symmetric A, of which one triangle is read.
func (i Implementation) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	if !symm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc) {
		i.Implementation.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
	}
}

// Dsyrk sets one triangle of C = alpha op(A) op(A)ᵀ + beta C.
func (i Implementation) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int,
	beta float64, c []float64, ldc int) {
	if !syrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc) {
		i.Implementation.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
	}
}

// Dsyr2k sets one triangle of C = alpha (op(A) op(B)ᵀ + op(B) op(A)ᵀ) + beta C.
func (i Implementation) Dsyr2k(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int,
	b []float64, ldb int, beta float64, c []float64, ldc int) {
	if !syr2k(ul, tA, n, k, alpha, a, lda, b, ldb, beta, c, ldc) {
		i.Implementation.Dsyr2k(ul, tA, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	}
}

// Dtrmm sets B = alpha op(A) B, or alpha B op(A), with a triangular A.
func (i Implementation) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	if !trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb) {
		i.Implementation.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
	}
}

// Dtrsm solves op(A) X = alpha B, or X op(A) = alpha B, with a triangular A, and writes X to B.
func (i Implementation) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	if !trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb) {
		i.Implementation.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
	}
}
