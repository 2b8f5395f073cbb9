package gonumblas

import (
	"math"

	kernel "github.com/dualgap/dualgap/asm/blas"
	"gonum.org/v1/gonum/blas"
)

// Each routine obeys the rules of the BLAS, and of gonum.

var _ blas.Float32 = Implementation{}

// Sdot returns xᵀ y.
func (i Implementation) Sdot(n int, x []float32, incX int, y []float32, incY int) float32 {
	if !unit(n, len(x), incX, len(y), incY) {
		return i.Implementation.Sdot(n, x, incX, y, incY)
	}
	return kernel.DotF32(&x[0], &y[0], n)
}

// Snrm2 returns the Euclidean norm of x.
func (i Implementation) Snrm2(n int, x []float32, incX int) float32 {
	if unit(n, len(x), incX, n, 1) {
		if s := kernel.SqNormF32(&x[0], n); s >= safeSquare32 && s <= math.MaxFloat32 {
			return float32(math.Sqrt(float64(s)))
		}
	}
	return i.Implementation.Snrm2(n, x, incX)
}

// Sasum returns the sum of |x_i|.
func (i Implementation) Sasum(n int, x []float32, incX int) float32 {
	if !unit(n, len(x), incX, n, 1) {
		return i.Implementation.Sasum(n, x, incX)
	}
	return kernel.AbsSumF32(&x[0], n)
}

// Saxpy adds alpha x to y.
func (i Implementation) Saxpy(n int, alpha float32, x []float32, incX int, y []float32, incY int) {
	if alpha == 0 || !unit(n, len(x), incX, len(y), incY) {
		i.Implementation.Saxpy(n, alpha, x, incX, y, incY)
		return
	}
	kernel.AxpyF32(alpha, &x[0], &y[0], n)
}

// Sscal multiplies x by alpha.
func (i Implementation) Sscal(n int, alpha float32, x []float32, incX int) {
	if alpha == 0 || !unit(n, len(x), incX, n, 1) {
		i.Implementation.Sscal(n, alpha, x, incX)
		return
	}
	kernel.ScalF32(alpha, &x[0], n)
}

// Sgemv sets y = alpha op(A) x + beta y.
func (i Implementation) Sgemv(tA blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int) {
	if !gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY) {
		i.Implementation.Sgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// Sger adds alpha x yᵀ to A.
func (i Implementation) Sger(m, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32,
	lda int) {
	if !ger(m, n, alpha, x, incX, y, incY, a, lda) {
		i.Implementation.Sger(m, n, alpha, x, incX, y, incY, a, lda)
	}
}

// Ssymv sets y = alpha A x + beta y with a symmetric A, of which one triangle is read.
func (i Implementation) Ssymv(ul blas.Uplo, n int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int) {
	if !symv(ul, n, alpha, a, lda, x, incX, beta, y, incY) {
		i.Implementation.Ssymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// Ssyr adds alpha x xᵀ to one triangle of A.
func (i Implementation) Ssyr(ul blas.Uplo, n int, alpha float32, x []float32, incX int, a []float32, lda int) {
	if !syr(ul, n, alpha, x, incX, a, lda) {
		i.Implementation.Ssyr(ul, n, alpha, x, incX, a, lda)
	}
}

// Ssyr2 adds alpha (x yᵀ + y xᵀ) to one triangle of A.
func (i Implementation) Ssyr2(ul blas.Uplo, n int, alpha float32, x []float32, incX int, y []float32, incY int,
	a []float32, lda int) {
	if !syr2(ul, n, alpha, x, incX, y, incY, a, lda) {
		i.Implementation.Ssyr2(ul, n, alpha, x, incX, y, incY, a, lda)
	}
}

// Strmv sets x = op(A) x with a triangular A.
func (i Implementation) Strmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float32, lda int, x []float32,
	incX int) {
	if !trmv(ul, tA, d, n, a, lda, x, incX) {
		i.Implementation.Strmv(ul, tA, d, n, a, lda, x, incX)
	}
}

// Strsv solves op(A) x = b with a triangular A: x holds b before, and the solution afterwards.
func (i Implementation) Strsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float32, lda int, x []float32,
	incX int) {
	if !trsv(ul, tA, d, n, a, lda, x, incX) {
		i.Implementation.Strsv(ul, tA, d, n, a, lda, x, incX)
	}
}

// Sgemm sets C = alpha op(A) op(B) + beta C.
func (i Implementation) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int) {
	if !gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) {
		i.Implementation.Sgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	}
}

// Ssymm sets C = alpha A B + beta C, or alpha B A + beta C, with a symmetric A, of which one triangle is read.
func (i Implementation) Ssymm(s blas.Side, ul blas.Uplo, m, n int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int) {
	if !symm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc) {
		i.Implementation.Ssymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
	}
}

// Ssyrk sets one triangle of C = alpha op(A) op(A)ᵀ + beta C.
func (i Implementation) Ssyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float32, a []float32, lda int,
	beta float32, c []float32, ldc int) {
	if !syrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc) {
		i.Implementation.Ssyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
	}
}

// Ssyr2k sets one triangle of C = alpha (op(A) op(B)ᵀ + op(B) op(A)ᵀ) + beta C.
func (i Implementation) Ssyr2k(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float32, a []float32, lda int,
	b []float32, ldb int, beta float32, c []float32, ldc int) {
	if !syr2k(ul, tA, n, k, alpha, a, lda, b, ldb, beta, c, ldc) {
		i.Implementation.Ssyr2k(ul, tA, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	}
}

// Strmm sets B = alpha op(A) B, or alpha B op(A), with a triangular A.
func (i Implementation) Strmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32,
	a []float32, lda int, b []float32, ldb int) {
	if !trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb) {
		i.Implementation.Strmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
	}
}

// Strsm solves op(A) X = alpha B, or X op(A) = alpha B, with a triangular A, and writes X to B.
func (i Implementation) Strsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32,
	a []float32, lda int, b []float32, ldb int) {
	if !trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb) {
		i.Implementation.Strsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
	}
}
