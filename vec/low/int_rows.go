package low

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/ints"
	"github.com/dualgap/dualgap/vec"
)

// The most columns whose sums fit an int32, whatever the numbers.
const (
	mostInt8  = (1<<31 - 1) / (128 * 128)
	mostUint8 = (1<<31 - 1) / (255 * 255)
	mostMixed = (1<<31 - 1) / (255 * 128)
)

// MulVecInt8 sets dst = X q: the inner product of each row of X with q, exactly. dst has x.Rows elements and q has
// x.Cols, at most 131071; dst must overlap neither x nor q. It panics unless the sizes agree. An m-by-n matrix takes
// O(m n) and is read once.
func MulVecInt8(dst []int32, x vec.Matrix[int8], q []int8) {
	against("MulVecInt8", &x, len(dst), len(q), mostInt8)
	ints.MulVecInt8(x.Rows, x.Cols, unsafe.SliceData(x.Data), x.Stride, unsafe.SliceData(q), unsafe.SliceData(dst))
}

// MulVecUint8 is [MulVecInt8] for uint8, with at most 33025 columns.
func MulVecUint8(dst []int32, x vec.Matrix[uint8], q []uint8) {
	against("MulVecUint8", &x, len(dst), len(q), mostUint8)
	ints.MulVecUint8(x.Rows, x.Cols, unsafe.SliceData(x.Data), x.Stride, unsafe.SliceData(q), unsafe.SliceData(dst))
}

// MulVecUint8Int8 is [MulVecInt8] for rows of uint8, such as codes, and a vector of int8, with at most 65793 columns.
func MulVecUint8Int8(dst []int32, x vec.Matrix[uint8], q []int8) {
	against("MulVecUint8Int8", &x, len(dst), len(q), mostMixed)
	ints.MixedMulVec(x.Rows, x.Cols, unsafe.SliceData(x.Data), x.Stride, unsafe.SliceData(q), unsafe.SliceData(dst))
}

// SquaredNormsInt8 sets dst[i] = |x_i|² for each row x_i of X, exactly. dst has x.Rows elements, and there are at most
// 131071 columns. It panics unless the sizes agree.
func SquaredNormsInt8(dst []int32, x vec.Matrix[int8]) {
	against("SquaredNormsInt8", &x, len(dst), x.Cols, mostInt8)
	for i := range dst {
		dst[i] = int32(DotInt8(x.Row(i), x.Row(i)))
	}
}

// SquaredNormsUint8 is [SquaredNormsInt8] for uint8, with at most 33025 columns.
func SquaredNormsUint8(dst []int32, x vec.Matrix[uint8]) {
	against("SquaredNormsUint8", &x, len(dst), x.Cols, mostUint8)
	for i := range dst {
		dst[i] = int32(DotUint8(x.Row(i), x.Row(i)))
	}
}

// against panics unless a is sound, has as many rows and columns as the vectors that meet them, and at most that many
// columns.
func against[T any](function string, a *vec.Matrix[T], rows, cols, most int) {
	fit(function, a, rows, cols)
	bounded(function, a, most)
}

// bounded panics unless a has at most that many columns.
func bounded[T any](function string, a *vec.Matrix[T], most int) {
	if a.Cols > most {
		panic(unfit(function, "%d columns, want at most %d, whose sums fit 32 bits", a.Cols, most))
	}
}
