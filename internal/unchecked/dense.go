package unchecked

import (
	"github.com/dualgap/dualgap/asm/blas"
	"github.com/dualgap/dualgap/asm/gemm"
	"github.com/dualgap/dualgap/vec"
)

// GemvT sets y = Aᵀ x, where x has at most a.Rows elements and y at most a.Cols: those that are missing count as rows
// and columns that a does not have.
func GemvT[T vec.Float](a *vec.Matrix[T], x, y []T) {
	if Is32[T]() {
		blas.GemvTF32(len(x), len(y), 1, p32(a.Data), a.Stride, p32(x), 0, p32(y))
	} else {
		blas.GemvTF64(len(x), len(y), 1, p64(a.Data), a.Stride, p64(x), 0, p64(y))
	}
}

// Ger adds x yᵀ to the first len(x) rows and len(y) columns of a.
func Ger[T vec.Float](x, y []T, a *vec.Matrix[T]) {
	if Is32[T]() {
		blas.GerF32(len(x), len(y), 1, p32(x), p32(y), p32(a.Data), a.Stride)
	} else {
		blas.GerF64(len(x), len(y), 1, p64(x), p64(y), p64(a.Data), a.Stride)
	}
}

// GerSome is Ger for a y that is mostly 0: its time grows with the number of columns, in groups of some, where y is not
// 0. len(y) is a multiple of 8. Where y is 0 the elements of a stay, or have x times 0 added.
func GerSome[T vec.Float](x, y []T, a *vec.Matrix[T]) {
	if Is32[T]() {
		blas.GerSomeF32(len(x), len(y), p32(x), p32(y), p32(a.Data), a.Stride)
	} else {
		blas.GerSomeF64(len(x), len(y), p64(x), p64(y), p64(a.Data), a.Stride)
	}
}

// Transpose sets the a.Cols-by-a.Rows matrix dst to the transpose of a, neither of them empty. They do not overlap, but
// may be parts of one matrix.
func Transpose[T vec.Float](dst, a vec.Matrix[T]) {
	if Is32[T]() {
		gemm.TransposeF32(a.Rows, a.Cols, p32(a.Data), a.Stride, 0, p32(dst.Data), dst.Stride)
	} else {
		gemm.TransposeF64(a.Rows, a.Cols, p64(a.Data), a.Stride, 0, p64(dst.Data), dst.Stride)
	}
}
