package vec

import "github.com/dualgap/dualgap/asm/blas"

// Add sets dst_i = x_i + y_i. dst may be x or y; otherwise it must not overlap them. Every tier gives the same bits. It
// panics when the lengths differ.
func Add[T Float](dst, x, y []T) {
	match("Add", len(dst), len(x))
	match("Add", len(x), len(y))
	if isF32[T]() {
		blas.AddF32(ptr32(dst), ptr32(x), ptr32(y), len(x))
	} else {
		blas.AddF64(ptr64(dst), ptr64(x), ptr64(y), len(x))
	}
}

// Mul sets dst_i = x_i y_i. dst may be x or y; otherwise it must not overlap them. Every tier gives the same bits. It
// panics when the lengths differ.
func Mul[T Float](dst, x, y []T) {
	match("Mul", len(dst), len(x))
	match("Mul", len(x), len(y))
	if isF32[T]() {
		blas.MulF32(ptr32(dst), ptr32(x), ptr32(y), len(x))
	} else {
		blas.MulF64(ptr64(dst), ptr64(x), ptr64(y), len(x))
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
