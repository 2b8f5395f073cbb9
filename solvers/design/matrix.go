package design

import "github.com/dualgap/dualgap/vec"

// Matrix is a design matrix X of n examples by d features, in whatever storage: dense, sparse, compressed. It is the
// only thing that solvers know about data.
//
// Calls are safe from several goroutines and, once the implementation is warm, allocate nothing. One call is the work
// of one goroutine: a solver splits rows among its workers. A slice of rows holds indices in [0, n), in any order, with
// repetitions; nil stands for all rows in order. Sizes that do not fit and rows out of range are errors of the program:
// they panic with a [vec.ShapeError] that names the numbers.
type Matrix[T vec.Float] interface {
	// Dims returns the number of examples and of features.
	Dims() (n, d int)

	// SquaredNorms sets dst[i] = |x_i|² for each of the n rows, as Gather gives them.
	SquaredNorms(dst []T)

	// Gather sets dst = X[rows], len(rows)-by-d.
	Gather(dst vec.Matrix[T], rows []int)

	// Scores sets dst = X[rows] W, where W is d-by-m and dst is len(rows)-by-m. W is feature-major, so that a sparse
	// row touches m contiguous numbers for each number it holds.
	Scores(dst, w vec.Matrix[T], rows []int)

	// Accumulate adds X[rows]ᵀ A to W, where A is len(rows)-by-m and W is d-by-m.
	Accumulate(w, a vec.Matrix[T], rows []int)

	// Gram sets dst[i, j] to the inner product of rows rows[i] and cols[j] of X.
	Gram(dst vec.Matrix[T], rows, cols []int)
}

// SparseRows is what a storage may offer besides Matrix when its examples hold few numbers. Certificates take these
// numbers instead of gathered rows.
type SparseRows[T vec.Float] interface {
	Matrix[T]

	// Row returns the columns and the values of example i, which must not be changed.
	Row(i int) (columns []int32, values []T)
}

// DenseRows is what a storage may offer besides Matrix when its examples lie in memory as they are.
type DenseRows[T vec.Float] interface {
	Matrix[T]

	// Row returns the d numbers of example i, which must not be changed.
	Row(i int) []T
}
