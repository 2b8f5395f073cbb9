package low

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/half"
)

// MulVecBFloat16 sets dst = X q: the inner product of each row of X with q, in float32. dst has x.Rows elements and q
// has x.Cols; dst must overlap neither x nor q. It panics unless the sizes agree. An m-by-n matrix takes O(m n), and
// reads each row once: from memory it takes half the time of float32.
//
// The error of an element is [DotBFloat16]'s.
func MulVecBFloat16(dst []float32, x Matrix[BFloat16], q []BFloat16) {
	x.fit("MulVecBFloat16", len(dst), len(q))
	half.RowsB16(x.Rows, x.Cols, words(x.Data), x.Stride, words(q), unsafe.SliceData(dst))
}

// MulVecFloat16 is [MulVecBFloat16] for float16, with [DotFloat16]'s error.
func MulVecFloat16(dst []float32, x Matrix[Float16], q []Float16) {
	x.fit("MulVecFloat16", len(dst), len(q))
	half.RowsH16(x.Rows, x.Cols, words(x.Data), x.Stride, words(q), unsafe.SliceData(dst))
}

// MulVecBFloat16Float32 is [MulVecBFloat16] with a vector of float32, which is not rounded: the error of an element is
// at most (n+4)u Σ|x[i, j] q[j]| to first order, on every CPU.
func MulVecBFloat16Float32(dst []float32, x Matrix[BFloat16], q []float32) {
	x.fit("MulVecBFloat16Float32", len(dst), len(q))
	half.MixedRowsB16(x.Rows, x.Cols, words(x.Data), x.Stride, unsafe.SliceData(q), unsafe.SliceData(dst))
}

// MulVecFloat16Float32 is [MulVecBFloat16Float32] for float16.
func MulVecFloat16Float32(dst []float32, x Matrix[Float16], q []float32) {
	x.fit("MulVecFloat16Float32", len(dst), len(q))
	half.MixedRowsH16(x.Rows, x.Cols, words(x.Data), x.Stride, unsafe.SliceData(q), unsafe.SliceData(dst))
}

// SquaredNormsBFloat16 sets dst to the squared norms of the rows of X: Σ x[i, j]² in float32, with [DotBFloat16]'s
// error. dst has x.Rows elements and must not overlap x. It panics unless the sizes agree. An m-by-n matrix takes
// O(m n).
func SquaredNormsBFloat16(dst []float32, x Matrix[BFloat16]) {
	x.fit("SquaredNormsBFloat16", len(dst), x.Cols)
	for i := range dst {
		row := words(x.Row(i))
		dst[i] = half.DotB16(row, row, x.Cols)
	}
}

// SquaredNormsFloat16 is [SquaredNormsBFloat16] for float16, with [DotFloat16]'s error.
func SquaredNormsFloat16(dst []float32, x Matrix[Float16]) {
	x.fit("SquaredNormsFloat16", len(dst), x.Cols)
	for i := range dst {
		row := words(x.Row(i))
		dst[i] = half.DotH16(row, row, x.Cols)
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
