package gonumblas

import (
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// gemv computes y = alpha op(A) x + beta y, or reports that it does not.
func gemv[T vec.Float](trans blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T,
	incY int) bool {
	lenX, lenY := n, m
	if trans != blas.NoTrans {
		lenX, lenY = m, n
	}
	if !isTranspose(trans) || alpha == 0 || !isMatrix(m, n, lda, len(a)) || !isVector(lenX, incX, len(x)) ||
		!isVector(lenY, incY, len(y)) {
		return false
	}
	mat := matrix(m, n, a, lda)
	switch {
	case incX != 1 || incY != 1:
		gemvStrided(trans == blas.NoTrans, alpha, mat, strided[T]{lenX, incX, x}, beta, strided[T]{lenY, incY, y})
	case trans == blas.NoTrans:
		vec.Gemv(alpha, mat, x[:n], beta, y[:m])
	default:
		vec.GemvT(alpha, mat, x[:m], beta, y[:n])
	}
	return true
}

// gemvStrided copies the vectors chunk by chunk: columns of row-major matrices, which decompositions are full of, come
// with a stride.
func gemvStrided[T vec.Float](plain bool, alpha T, a vec.Matrix[T], x strided[T], beta T, y strided[T]) {
	var roomX, roomY [chunk]T
	for i := 0; i < y.n; i += y.step() {
		i2 := min(i+y.step(), y.n)
		ys, b := y.load(i, i2, &roomY), beta
		for j := 0; j < x.n; j += x.step() {
			j2 := min(j+x.step(), x.n)
			xs := x.load(j, j2, &roomX)
			if plain {
				vec.Gemv(alpha, a.Slice(i, i2, j, j2), xs, b, ys)
			} else {
				vec.GemvT(alpha, a.Slice(j, j2, i, i2), xs, b, ys)
			}
			b = 1
		}
		y.store(i, ys)
	}
}

// ger adds alpha x yᵀ to A, or reports that it does not.
func ger[T vec.Float](m, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int) bool {
	if alpha == 0 || !isMatrix(m, n, lda, len(a)) || !isVector(m, incX, len(x)) || !isVector(n, incY, len(y)) {
		return false
	}
	if incX == 1 && incY == 1 {
		vec.Ger(alpha, x[:m], y[:n], matrix(m, n, a, lda))
		return true
	}
	gerStrided(alpha, strided[T]{m, incX, x}, strided[T]{n, incY, y}, matrix(m, n, a, lda))
	return true
}

func gerStrided[T vec.Float](alpha T, x, y strided[T], a vec.Matrix[T]) {
	var roomX, roomY [chunk]T
	for j := 0; j < y.n; j += y.step() {
		j2 := min(j+y.step(), y.n)
		ys := y.load(j, j2, &roomY)
		for i := 0; i < x.n; i += x.step() {
			i2 := min(i+x.step(), x.n)
			vec.Ger(alpha, x.load(i, i2, &roomX), ys, a.Slice(i, i2, j, j2))
		}
	}
}
