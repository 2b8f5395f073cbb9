package vec

import "github.com/dualgap/dualgap/asm/blas"

// Ger adds the matrix alpha x yᵀ, of rank one, to A. x has a.Rows elements and y has a.Cols. Neither may overlap a. It
// panics unless the sizes agree.
func Ger[T Float](alpha T, x, y []T, a Matrix[T]) {
	a.fit("Ger", len(x), len(y))
	if isF32[T]() {
		blas.GerF32(a.Rows, a.Cols, float32(alpha), ptr32(x), ptr32(y), ptr32(a.Data), a.Stride)
	} else {
		blas.GerF64(a.Rows, a.Cols, float64(alpha), ptr64(x), ptr64(y), ptr64(a.Data), a.Stride)
	}
}

// Gemv sets y = alpha A x + beta y. x has a.Cols elements and y has a.Rows. With beta = 0 the old y is not read. y may
// overlap neither a nor x. It panics unless the sizes agree.
func Gemv[T Float](alpha T, a Matrix[T], x []T, beta T, y []T) {
	a.fit("Gemv", len(y), len(x))
	if isF32[T]() {
		blas.GemvF32(a.Rows, a.Cols, float32(alpha), ptr32(a.Data), a.Stride, ptr32(x), float32(beta), ptr32(y))
	} else {
		blas.GemvF64(a.Rows, a.Cols, float64(alpha), ptr64(a.Data), a.Stride, ptr64(x), float64(beta), ptr64(y))
	}
}

// GemvT sets y = alpha Aᵀ x + beta y. x has a.Rows elements and y has a.Cols. With beta = 0 the old y is not read. y
// may overlap neither a nor x. It panics unless the sizes agree.
func GemvT[T Float](alpha T, a Matrix[T], x []T, beta T, y []T) {
	a.fit("GemvT", len(x), len(y))
	if isF32[T]() {
		blas.GemvTF32(a.Rows, a.Cols, float32(alpha), ptr32(a.Data), a.Stride, ptr32(x), float32(beta), ptr32(y))
	} else {
		blas.GemvTF64(a.Rows, a.Cols, float64(alpha), ptr64(a.Data), a.Stride, ptr64(x), float64(beta), ptr64(y))
	}
}

// fit panics unless a is sound and has as many rows and columns as the vectors that meet them.
func (a *Matrix[T]) fit(function string, rows, cols int) {
	if a.Rows != rows || a.Cols != cols {
		panic(unfit(function, "%dx%d matrix, vectors of %d for its rows and %d for its columns", a.Rows, a.Cols, rows,
			cols))
	}
	a.demand(function)
}
