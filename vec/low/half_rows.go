package low

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/half"
	"github.com/dualgap/dualgap/vec"
)

// MulVecBFloat16 sets dst = X q: the inner product of each row of X with q, in float32. dst has x.Rows elements and q
// has x.Cols; dst must overlap neither x nor q. It panics unless the sizes agree. An m-by-n matrix takes O(m n), and
// reads each row once: from memory it takes half the time of float32.
//
// The error of an element is [DotBFloat16]'s.
func MulVecBFloat16(dst []float32, x vec.Matrix[BFloat16], q []BFloat16) {
	fit("MulVecBFloat16", &x, len(dst), len(q))
	half.RowsB16(x.Rows, x.Cols, words(x.Data), x.Stride, words(q), unsafe.SliceData(dst))
}

// MulVecFloat16 is [MulVecBFloat16] for float16, with [DotFloat16]'s error.
func MulVecFloat16(dst []float32, x vec.Matrix[Float16], q []Float16) {
	fit("MulVecFloat16", &x, len(dst), len(q))
	half.RowsH16(x.Rows, x.Cols, words(x.Data), x.Stride, words(q), unsafe.SliceData(dst))
}

// MulVecBFloat16Float32 is [MulVecBFloat16] with a vector of float32, which is not rounded: the error of an element is
// at most (n+4)u Σ|x[i, j] q[j]| to first order, on every CPU.
func MulVecBFloat16Float32(dst []float32, x vec.Matrix[BFloat16], q []float32) {
	fit("MulVecBFloat16Float32", &x, len(dst), len(q))
	half.MixedRowsB16(x.Rows, x.Cols, words(x.Data), x.Stride, unsafe.SliceData(q), unsafe.SliceData(dst))
}

// MulVecFloat16Float32 is [MulVecBFloat16Float32] for float16.
func MulVecFloat16Float32(dst []float32, x vec.Matrix[Float16], q []float32) {
	fit("MulVecFloat16Float32", &x, len(dst), len(q))
	half.MixedRowsH16(x.Rows, x.Cols, words(x.Data), x.Stride, unsafe.SliceData(q), unsafe.SliceData(dst))
}

// SquaredNormsBFloat16 sets dst to the squared norms of the rows of X: Σ x[i, j]² in float32, with [DotBFloat16]'s
// error. dst has x.Rows elements and must not overlap x. It panics unless the sizes agree. An m-by-n matrix takes
// O(m n).
func SquaredNormsBFloat16(dst []float32, x vec.Matrix[BFloat16]) {
	fit("SquaredNormsBFloat16", &x, len(dst), x.Cols)
	for i := range dst {
		row := words(x.Row(i))
		dst[i] = half.DotB16(row, row, x.Cols)
	}
}

// SquaredNormsFloat16 is [SquaredNormsBFloat16] for float16, with [DotFloat16]'s error.
func SquaredNormsFloat16(dst []float32, x vec.Matrix[Float16]) {
	fit("SquaredNormsFloat16", &x, len(dst), x.Cols)
	for i := range dst {
		row := words(x.Row(i))
		dst[i] = half.DotH16(row, row, x.Cols)
	}
}
