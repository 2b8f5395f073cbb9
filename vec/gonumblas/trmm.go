package gonumblas

import (
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// trmv computes x = op(A) x, or reports that it does not.
func trmv[T vec.Float](uplo blas.Uplo, trans blas.Transpose, diag blas.Diag, n int, a []T, lda int, x []T,
	incX int) bool {
	return triangleVector(false, uplo, trans, diag, n, a, lda, x, incX)
}

// trsv solves op(A) x = b, where x holds b, or reports that it does not.
func trsv[T vec.Float](uplo blas.Uplo, trans blas.Transpose, diag blas.Diag, n int, a []T, lda int, x []T,
	incX int) bool {
	return triangleVector(true, uplo, trans, diag, n, a, lda, x, incX)
}

// triangleVector serves vectors whose elements lie next to each other, and short ones.
func triangleVector[T vec.Float](solve bool, uplo blas.Uplo, trans blas.Transpose, diag blas.Diag, n int, a []T,
	lda int, x []T, incX int) bool {
	t, sound := triangleOf(uplo, trans, diag, n, a, lda)
	v := strided[T]{n, incX, x}
	if !sound || !isVector(n, incX, len(x)) || n > v.step() {
		return false
	}
	var room [chunk]T
	xs := v.load(0, n, &room)
	if solve {
		t.solveVector(xs)
	} else {
		t.multiplyVector(xs)
	}
	v.store(0, xs)
	return true
}

// trmm computes B = alpha op(A) B or, on the right side, B = alpha B op(A), or reports that it does not.
func trmm[T vec.Float](side blas.Side, uplo blas.Uplo, trans blas.Transpose, diag blas.Diag, m, n int, alpha T, a []T,
	lda int, b []T, ldb int) bool {
	t, x, ok := triangleMatrix(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb)
	switch {
	case !ok:
	case side == blas.Left:
		t.multiply(x)
	default:
		t.multiplyRows(x)
	}
	return ok
}

// trsm solves op(A) X = alpha B or, on the right side, X op(A) = alpha B, where X takes the place of B, or reports that
// it does not.
func trsm[T vec.Float](side blas.Side, uplo blas.Uplo, trans blas.Transpose, diag blas.Diag, m, n int, alpha T, a []T,
	lda int, b []T, ldb int) bool {
	t, x, ok := triangleMatrix(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb)
	switch {
	case !ok:
	case side == blas.Left:
		t.solve(x)
	default:
		t.solveRows(x)
	}
	return ok
}

// triangleMatrix checks, and multiplies b by alpha. On the right side rows of B meet the transpose: x op(A) = (op(A)ᵀ
// xᵀ)ᵀ.
func triangleMatrix[T vec.Float](side blas.Side, uplo blas.Uplo, trans blas.Transpose, diag blas.Diag, m, n int,
	alpha T, a []T, lda int, b []T, ldb int) (t triangle[T], x vec.Matrix[T], ok bool) {
	size := m
	if side == blas.Right {
		size = n
	}
	t, sound := triangleOf(uplo, trans, diag, size, a, lda)
	if !sound || side != blas.Left && side != blas.Right || alpha == 0 || !isMatrix(m, n, ldb, len(b)) {
		return t, x, false
	}
	if side == blas.Right {
		t.trans = !t.trans
	}
	x = matrix(m, n, b, ldb)
	scaleRows(alpha, x)
	return t, x, true
}

func scaleRows[T vec.Float](alpha T, a vec.Matrix[T]) {
	if alpha != 1 {
		for i := range a.Rows {
			vec.Scale(alpha, a.Row(i))
		}
	}
}
