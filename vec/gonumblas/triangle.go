package gonumblas

import (
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// triangle is op(A) for a triangular A: A or Aᵀ, of which the lower or the upper triangle is stored, with a diagonal of
// ones when unit, which is not stored then.
type triangle[T vec.Float] struct {
	a                  vec.Matrix[T]
	lower, trans, unit bool
}

func triangleOf[T vec.Float](uplo blas.Uplo, trans blas.Transpose, diag blas.Diag, n int, a []T, lda int) (triangle[T],
	bool) {
	sound := isUplo(uplo) && isTranspose(trans) && isDiag(diag) && isMatrix(n, n, lda, len(a))
	return triangle[T]{matrix(n, n, a, lda), uplo == blas.Lower, trans != blas.NoTrans, diag == blas.Unit}, sound
}

// forward reports whether op(A) is lower triangular, so that a system is solved from its first unknown on.
func (t triangle[T]) forward() bool { return t.lower != t.trans }

// split returns the triangles on the diagonal, of k rows and of the rest, and the rectangle beside them, as stored.
func (t triangle[T]) split(k int) (first, last triangle[T], rest vec.Matrix[T]) {
	n := t.a.Rows
	first, last = t, t
	first.a, last.a = t.a.Slice(0, k, 0, k), t.a.Slice(k, n, k, n)
	if t.lower {
		return first, last, t.a.Slice(k, n, 0, k)
	}
	return first, last, t.a.Slice(0, k, k, n)
}

// beside returns what is stored of row i beside the diagonal, and the column where it starts.
func beside[T vec.Float](a vec.Matrix[T], lower bool, i int) (row []T, from int) {
	if lower {
		return a.Data[i*a.Stride : i*a.Stride+i], 0
	}
	return a.Data[i*a.Stride+i+1 : i*a.Stride+a.Cols], i + 1
}

// addTo adds to y the product of alpha, the rectangle beside the diagonal, and x.
func (t triangle[T]) addTo(y []T, alpha T, rest vec.Matrix[T], x []T) {
	if t.trans {
		vec.GemvT(alpha, rest, x, 1, y)
	} else {
		vec.Gemv(alpha, rest, x, 1, y)
	}
}

// order yields the indices below n, from the last on when backward.
func order(n int, backward bool) func(yield func(i int) bool) {
	return func(yield func(i int) bool) {
		for i := range n {
			if backward {
				i = n - 1 - i
			}
			if !yield(i) {
				return
			}
		}
	}
}
