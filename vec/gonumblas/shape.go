package gonumblas

import (
	"math/bits"

	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// Each routine first asks whether its arguments are sound and of a shape that the kernels serve. Where they are not, it
// hands them to gonum's routine, which serves the other shapes and panics about wrong arguments with its own words.

// unit reports whether x and y hold n > 0 elements each, next to each other.
func unit(n, lenX, incX, lenY, incY int) bool {
	return n > 0 && incX == 1 && incY == 1 && n <= lenX && n <= lenY
}

// isVector reports whether a slice of the given length holds n > 0 elements inc apart, in either direction.
func isVector(n, inc, length int) bool {
	return n > 0 && inc != 0 && reaches(n, max(inc, -inc), 1, length)
}

// isMatrix reports whether a slice of the given length holds m > 0 rows of n > 0 elements, ld apart.
func isMatrix(m, n, ld, length int) bool {
	return m > 0 && n > 0 && n <= ld && reaches(m, ld, n, length)
}

// reaches reports whether (count-1)*step + last <= length, of numbers that are not negative; the product may overflow.
func reaches(count, step, last, length int) bool {
	high, low := bits.Mul(uint(count-1), uint(step))
	return high == 0 && last <= length && low <= uint(length-last)
}

func isTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

func isUplo(u blas.Uplo) bool { return u == blas.Lower || u == blas.Upper }

func isDiag(d blas.Diag) bool { return d == blas.NonUnit || d == blas.Unit }

// matrix is a as a matrix of m rows and n columns.
func matrix[T vec.Float](m, n int, a []T, lda int) vec.Matrix[T] {
	return vec.Matrix[T]{Rows: m, Cols: n, Stride: lda, Data: a}
}
