package vec

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/blas"
)

// Dot returns the inner product Σ x_i y_i, 0 for empty vectors. It panics when the lengths differ.
func Dot[T Float](x, y []T) T {
	if isF32[T]() {
		return T(Dot32(as32(x), as32(y)))
	}
	return T(Dot64(as64(x), as64(y)))
}

// Dot32 is [Dot] for float32, inlined.
func Dot32(x, y []float32) float32 {
	if len(x) != len(y) {
		panic(lengths{dot, len(x), len(y)})
	}
	return blas.DotF32(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// Dot64 is [Dot] for float64, inlined.
func Dot64(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(lengths{dot, len(x), len(y)})
	}
	return blas.DotF64(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// SquaredDistance returns |x - y|², 0 for empty vectors. It panics when the lengths differ.
func SquaredDistance[T Float](x, y []T) T {
	if isF32[T]() {
		return T(SquaredDistance32(as32(x), as32(y)))
	}
	return T(SquaredDistance64(as64(x), as64(y)))
}

// SquaredDistance32 is [SquaredDistance] for float32, inlined.
func SquaredDistance32(x, y []float32) float32 {
	if len(x) != len(y) {
		panic(lengths{squaredDistance, len(x), len(y)})
	}
	return blas.SqDistF32(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// SquaredDistance64 is [SquaredDistance] for float64, inlined.
func SquaredDistance64(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(lengths{squaredDistance, len(x), len(y)})
	}
	return blas.SqDistF64(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// SquaredNorm returns |x|² = Σ x_i², 0 for an empty vector.
func SquaredNorm[T Float](x []T) T {
	if isF32[T]() {
		return T(blas.SqNormF32(ptr32(x), len(x)))
	}
	return T(blas.SqNormF64(ptr64(x), len(x)))
}

// Sum returns the sum of x, 0 for an empty vector.
func Sum[T Float](x []T) T {
	if isF32[T]() {
		return T(blas.SumF32(ptr32(x), len(x)))
	}
	return T(blas.SumF64(ptr64(x), len(x)))
}

// AbsSum returns the sum of the absolute values of x, 0 for an empty vector.
func AbsSum[T Float](x []T) T {
	if isF32[T]() {
		return T(blas.AbsSumF32(ptr32(x), len(x)))
	}
	return T(blas.AbsSumF64(ptr64(x), len(x)))
}

// Scale multiplies x by alpha in place. Every tier gives the same bits.
func Scale[T Float](alpha T, x []T) {
	if isF32[T]() {
		blas.ScalF32(float32(alpha), ptr32(x), len(x))
	} else {
		blas.ScalF64(float64(alpha), ptr64(x), len(x))
	}
}

// Axpy adds alpha x to y. x and y may be the same vector; otherwise they must not overlap. It panics when the lengths
// differ.
func Axpy[T Float](alpha T, x, y []T) {
	if isF32[T]() {
		Axpy32(float32(alpha), as32(x), as32(y))
	} else {
		Axpy64(float64(alpha), as64(x), as64(y))
	}
}

// Axpy32 is [Axpy] for float32, inlined.
func Axpy32(alpha float32, x, y []float32) {
	if len(x) != len(y) {
		panic(lengths{axpy, len(x), len(y)})
	}
	blas.AxpyF32(alpha, unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// Axpy64 is [Axpy] for float64, inlined.
func Axpy64(alpha float64, x, y []float64) {
	if len(x) != len(y) {
		panic(lengths{axpy, len(x), len(y)})
	}
	blas.AxpyF64(alpha, unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}
