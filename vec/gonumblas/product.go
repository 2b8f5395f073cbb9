package gonumblas

import (
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// gemm computes C = alpha op(A) op(B) + beta C, or reports that it does not.
func gemm[T vec.Float](transA, transB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) bool {
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

// product sets c = alpha op(A) op(B) + beta C. A single row needs no packing of what it meets.
func product[T vec.Float](transA, transB bool, alpha T, a, b vec.Matrix[T], beta T, c vec.Matrix[T]) {
	if c.Rows == 1 && !transA {
		if transB {
			vec.Gemv(alpha, b, a.Row(0), beta, c.Row(0))
		} else {
			vec.GemvT(alpha, b, a.Row(0), beta, c.Row(0))
		}
		return
	}
	k := a.Cols
	if transA {
		k = a.Rows
	}
	for i := range c.Rows {
		for j := range c.Cols {
			var s T
			for l := range k {
				var p, q T
				if transA {
					p = a.Data[l*a.Stride+i]
				} else {
					p = a.Data[i*a.Stride+l]
				}
				if transB {
					q = b.Data[j*b.Stride+l]
				} else {
					q = b.Data[l*b.Stride+j]
				}
				s += p * q
			}
			if beta == 0 {
				c.Data[i*c.Stride+j] = alpha * s
			} else {
				c.Data[i*c.Stride+j] = beta*c.Data[i*c.Stride+j] + alpha*s
			}
		}
	}
}
