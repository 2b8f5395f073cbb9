package low

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/ints"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// DotsInt8 sets dst = X Yᵀ: the inner products of all rows of X with all rows of Y, exactly. For m and n rows of at
// most 131071 columns dst is m-by-n; it must overlap neither x nor y. It panics unless the sizes agree. It takes
// O(m n x.Cols): on CPUs with AVX-512 VNNI a quarter of the time of a product in float32.
func DotsInt8(dst vec.Matrix[int32], x, y vec.Matrix[int8]) {
	intDots("DotsInt8", &dst, &x, &y, mostInt8, 1)
}

// DotsInt8Workers is [DotsInt8] by up to workers goroutines, all cores for 0: see the overview.
func DotsInt8Workers(dst vec.Matrix[int32], x, y vec.Matrix[int8], workers int) {
	intDots("DotsInt8Workers", &dst, &x, &y, mostInt8, workers)
}

// DotsUint8 is [DotsInt8] for uint8, with at most 33025 columns.
func DotsUint8(dst vec.Matrix[int32], x, y vec.Matrix[uint8]) {
	intDots("DotsUint8", &dst, &x, &y, mostUint8, 1)
}

// DotsUint8Workers is [DotsUint8] by up to workers goroutines, all cores for 0: see the overview.
func DotsUint8Workers(dst vec.Matrix[int32], x, y vec.Matrix[uint8], workers int) {
	intDots("DotsUint8Workers", &dst, &x, &y, mostUint8, workers)
}

func intDots[T int8 | uint8](function string, dst *vec.Matrix[int32], x, y *vec.Matrix[T], most, workers int) {
	goroutines := eachWithEach(function, dst, x, y, most, workers)
	p := ints.Product[T]{M: x.Rows, N: y.Rows, K: x.Cols, X: unsafe.SliceData(x.Data), LDX: x.Stride,
		Y: unsafe.SliceData(y.Data), LDY: y.Stride, C: unsafe.SliceData(dst.Data), LDC: dst.Stride}
	p.Run(goroutines)
}

// eachWithEach checks what meets where all rows of x meet all rows of y, and returns the number of goroutines.
func eachWithEach[T any](function string, dst *vec.Matrix[int32], x, y *vec.Matrix[T], most, workers int) int {
	paired(function, dst, x, y)
	bounded(function, x, most)
	goroutines, err := parallel.Cores(workers, max(1, x.Rows))
	if err != nil {
		panic(unfit(function, "%v", err))
	}
	return goroutines
}

// paired panics unless the matrices are sound and dst has an element for each row of x with each of y.
func paired[D, T any](function string, dst *vec.Matrix[D], x, y *vec.Matrix[T]) {
	if x.Cols != y.Cols || dst.Rows != x.Rows || dst.Cols != y.Rows {
		panic(unfit(function, "%dx%d matrix for the rows of a %dx%d and a %dx%d matrix", dst.Rows, dst.Cols, x.Rows,
			x.Cols, y.Rows, y.Cols))
	}
	demand(function, x)
	demand(function, y)
	demand(function, dst)
}
