package vec

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/blas"
)

// Add sets dst_i = x_i + y_i. dst may be x or y; otherwise it must not overlap them. Every tier gives the same bits. It
// panics when the lengths differ.
func Add[T Float](dst, x, y []T) {
	addOf(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst), len(x), len(y))
}

func addOf[T Float](dst, x, y *T, m, n, o int) {
	match("Add", m, n)
	match("Add", n, o)
	if isF32[T]() {
		blas.AddF32((*float32)(unsafe.Pointer(dst)), (*float32)(unsafe.Pointer(x)), (*float32)(unsafe.Pointer(y)), n)
	} else {
		blas.AddF64((*float64)(unsafe.Pointer(dst)), (*float64)(unsafe.Pointer(x)), (*float64)(unsafe.Pointer(y)), n)
	}
}

// Mul sets dst_i = x_i y_i. dst may be x or y; otherwise it must not overlap them. Every tier gives the same bits. It
// panics when the lengths differ.
func Mul[T Float](dst, x, y []T) {
	mulOf(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst), len(x), len(y))
}

func mulOf[T Float](dst, x, y *T, m, n, o int) {
	match("Mul", m, n)
	match("Mul", n, o)
	if isF32[T]() {
		blas.MulF32((*float32)(unsafe.Pointer(dst)), (*float32)(unsafe.Pointer(x)), (*float32)(unsafe.Pointer(y)), n)
	} else {
		blas.MulF64((*float64)(unsafe.Pointer(dst)), (*float64)(unsafe.Pointer(x)), (*float64)(unsafe.Pointer(y)), n)
	}
}

// Sqrt sets dst_i to the square root of x_i. As with Go's math.Sqrt a number below 0 gives NaN, and -0 gives -0. dst
// may be x. Every tier gives the same bits. It panics when the lengths differ.
func Sqrt[T Float](dst, x []T) {
	match("Sqrt", len(dst), len(x))
	if isF32[T]() {
		blas.SqrtF32(ptr32(dst), ptr32(x), len(x))
	} else {
		blas.SqrtF64(ptr64(dst), ptr64(x), len(x))
	}
}
