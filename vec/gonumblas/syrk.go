package gonumblas

import (
	products "github.com/dualgap/dualgap/asm/gemm"
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// syrk computes one triangle of C = alpha op(A) op(A)ᵀ + beta C, or reports that it does not.
func syrk[T vec.Float](uplo blas.Uplo, trans blas.Transpose, n, k int, alpha T, a []T, lda int, beta T, c []T,
	ldc int) bool {
	x, z := panel(trans, n, k, a, lda), matrix(n, n, c, ldc)
	if !isUplo(uplo) || !isTranspose(trans) || alpha == 0 || !sound(x) || !sound(z) {
		return false
	}
	half := vec.Lower
	if uplo == blas.Upper {
		half = vec.Upper
	}
	t := vec.Trans(trans != blas.NoTrans)
	if float64(n)*float64(n)*float64(k) <= alone {
		vec.Syrk(half, t, alpha, x, beta, z)
	} else {
		vec.SyrkWorkers(half, t, alpha, x, beta, z, 0)
	}
	return true
}

// syr2k computes one triangle of C = alpha (op(A) op(B)ᵀ + op(B) op(A)ᵀ) + beta C, or reports that it does not.
func syr2k[T vec.Float](uplo blas.Uplo, trans blas.Transpose, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T,
	c []T, ldc int) bool {
	x, y, z := panel(trans, n, k, a, lda), panel(trans, n, k, b, ldb), matrix(n, n, c, ldc)
	if !isUplo(uplo) || !isTranspose(trans) || alpha == 0 || !sound(x) || !sound(y) || !sound(z) {
		return false
	}
	triangleProduct(uplo == blas.Lower, trans != blas.NoTrans, alpha, x, y, beta, z)
	triangleProduct(uplo == blas.Lower, trans != blas.NoTrans, alpha, y, x, 1, z)
	return true
}

// panel is a as a matrix for which op(A) has n rows and k columns.
func panel[T vec.Float](trans blas.Transpose, n, k int, a []T, lda int) vec.Matrix[T] {
	if trans != blas.NoTrans {
		n, k = k, n
	}
	return matrix(n, k, a, lda)
}

// triangleProduct computes one triangle of C = alpha op(A) op(B)ᵀ + beta C: its two halves, and the rectangle beside
// them.
func triangleProduct[T vec.Float](lower, trans bool, alpha T, a, b vec.Matrix[T], beta T, c vec.Matrix[T]) {
	n := c.Rows
	if n <= tile {
		triangleTile(lower, trans, alpha, a, b, beta, c)
		return
	}
	k := half(n)
	a1, a2 := halves(a, trans, k)
	b1, b2 := halves(b, trans, k)
	triangleProduct(lower, trans, alpha, a1, b1, beta, c.Slice(0, k, 0, k))
	triangleProduct(lower, trans, alpha, a2, b2, beta, c.Slice(k, n, k, n))
	if lower {
		product(trans, !trans, alpha, a2, b1, beta, c.Slice(k, n, 0, k))
	} else {
		product(trans, !trans, alpha, a1, b2, beta, c.Slice(0, k, k, n))
	}
}

// halves splits the rows of op(A).
func halves[T vec.Float](a vec.Matrix[T], trans bool, k int) (first, last vec.Matrix[T]) {
	if trans {
		return a.Slice(0, a.Rows, 0, k), a.Slice(0, a.Rows, k, a.Cols)
	}
	return a.Slice(0, k, 0, a.Cols), a.Slice(k, a.Rows, 0, a.Cols)
}

// triangleTile computes the square and keeps the triangle.
func triangleTile[T vec.Float](lower, trans bool, alpha T, a, b vec.Matrix[T], beta T, c vec.Matrix[T]) {
	loan := products.Borrow[T](tile * tile)
	defer loan.Return()
	n := c.Rows
	square := matrix(n, n, loan.Slice(), tile)
	vec.Gemm(vec.Trans(trans), vec.Trans(!trans), alpha, a, b, 0, square)
	for i := range n {
		lo, hi := i, n
		if lower {
			lo, hi = 0, i+1
		}
		to := c.Data[i*c.Stride+lo : i*c.Stride+hi]
		for j, v := range square.Row(i)[lo:hi] {
			if beta != 0 {
				v += beta * to[j]
			}
			to[j] = v
		}
	}
}
