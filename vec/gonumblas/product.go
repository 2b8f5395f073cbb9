package gonumblas

import (
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// gemm computes C = alpha op(A) op(B) + beta C, or reports that it does not.
func gemm[T vec.Float](transA, transB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T,
	c []T, ldc int) bool {
	if !isTranspose(transA) || !isTranspose(transB) {
		return false
	}
	ta, tb := transA != blas.NoTrans, transB != blas.NoTrans
	x, y, z := matrix(m, k, a, lda), matrix(k, n, b, ldb), matrix(m, n, c, ldc)
	if ta {
		x.Rows, x.Cols = k, m
	}
	if tb {
		y.Rows, y.Cols = n, k
	}
	if alpha == 0 || !sound(x) || !sound(y) || !sound(z) {
		return false
	}
	product(ta, tb, alpha, x, y, beta, z)
	return true
}

func sound[T vec.Float](a vec.Matrix[T]) bool { return isMatrix(a.Rows, a.Cols, a.Stride, len(a.Data)) }

// alone is the number of multiplications up to which a product is not worth a second core.
const alone = 1 << 20

// product sets c = alpha op(A) op(B) + beta C. Large products share the cores that Go may use.
func product[T vec.Float](transA, transB bool, alpha T, a, b vec.Matrix[T], beta T, c vec.Matrix[T]) {
	k := a.Cols
	if transA {
		k = a.Rows
	}
	if float64(c.Rows)*float64(c.Cols)*float64(k) <= alone {
		vec.Gemm(vec.Trans(transA), vec.Trans(transB), alpha, a, b, beta, c)
	} else {
		vec.GemmWorkers(vec.Trans(transA), vec.Trans(transB), alpha, a, b, beta, c, 0)
	}
}
