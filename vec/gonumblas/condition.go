package gonumblas

import (
	"math"

	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// mat estimates a condition number with every LU, QR and Cholesky factorization. gonum solves the triangular systems
// for that element by element, ready to scale when numbers overflow, and takes longer than for the factorization
// itself. Here they are solved at once, and given to gonum when numbers did overflow.

// Dgecon is gonum's Dgecon: the reciprocal of the condition number of a matrix from its LU factorization.
func (l Lapack) Dgecon(norm lapack.MatrixNorm, n int, a []float64, lda int, anorm float64, work []float64,
	iwork []int) float64 {
	lower, sound := triangleOf(blas.Lower, blas.NoTrans, blas.Unit, n, a, lda)
	upper := lower
	upper.lower, upper.unit = false, false
	if sound && len(work) >= 4*n {
		if r, ok := l.condition(norm, anorm, []triangle[float64]{lower, upper}, work, iwork); ok {
			return r
		}
	}
	return l.Implementation.Dgecon(norm, n, a, lda, anorm, work, iwork)
}

// Dpocon is gonum's Dpocon: the reciprocal of the condition number of a matrix from its Cholesky factorization.
func (l Lapack) Dpocon(uplo blas.Uplo, n int, a []float64, lda int, anorm float64, work []float64,
	iwork []int) float64 {
	first, sound := triangleOf(uplo, blas.NoTrans, blas.NonUnit, n, a, lda)
	first.trans = uplo == blas.Upper // A is L Lᵀ or Uᵀ U
	last := first
	last.trans = !first.trans
	if sound && len(work) >= 3*n {
		if r, ok := l.condition(lapack.MaxColumnSum, anorm, []triangle[float64]{first, last}, work, iwork); ok {
			return r
		}
	}
	return l.Implementation.Dpocon(uplo, n, a, lda, anorm, work, iwork)
}

// Dtrcon is gonum's Dtrcon: the reciprocal of the condition number of a triangular matrix.
func (l Lapack) Dtrcon(norm lapack.MatrixNorm, uplo blas.Uplo, diag blas.Diag, n int, a []float64, lda int,
	work []float64, iwork []int) float64 {
	t, sound := triangleOf(uplo, blas.NoTrans, diag, n, a, lda)
	if sound && len(work) >= 3*n && (norm == lapack.MaxColumnSum || norm == lapack.MaxRowSum) {
		anorm := l.Dlantr(norm, uplo, diag, n, n, a, lda, work)
		if r, ok := l.condition(norm, anorm, []triangle[float64]{t}, work, iwork); ok {
			return r
		}
	}
	return l.Implementation.Dtrcon(norm, uplo, diag, n, a, lda, work, iwork)
}

// condition estimates 1/(anorm |A⁻¹|) for a product A of triangles by Higham's method (gonum's Dlacn2), or reports that
// this is a case for gonum.
func (l Lapack) condition(norm lapack.MatrixNorm, anorm float64, product []triangle[float64], work []float64,
	iwork []int) (float64, bool) {
	n := product[0].a.Rows
	// What Dlacn2 asks for: 1 is the product of A⁻¹ and x, 2 the product of A⁻ᵀ and x; the other way round for rows.
	plain := 1
	switch norm {
	case lapack.MaxColumnSum:
	case lapack.MaxRowSum:
		plain = 2
	default:
		return 0, false
	}
	if n < smallest || len(iwork) < n || !moderate(anorm) {
		return 0, false
	}
	x := work[:n]
	var state [3]int
	estimate, ask := l.Dlacn2(n, work[n:], x, iwork, 0, 0, &state)
	for ask != 0 {
		for i := range order(len(product), ask != plain) {
			t := product[i]
			t.trans = t.trans != (ask != plain)
			t.solveVector(x)
		}
		if !(vec.AbsSum(x) <= math.MaxFloat64) {
			return 0, false
		}
		estimate, ask = l.Dlacn2(n, work[n:], x, iwork, estimate, ask, &state)
	}
	return 1 / estimate / anorm, estimate > 0
}
