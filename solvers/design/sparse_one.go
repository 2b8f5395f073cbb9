package design

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// Products of sparse rows with the weights of one output, by kernels that convert values as they load them.

// oneScore returns <w, x> of a sparse row x.
func oneScore[T, U vec.Float](columns []int32, values []T, w []U) U {
	values = values[:len(columns)]
	switch {
	case !within(columns, len(w)):
		return vec.SparseDot(columns, make([]U, len(columns)), w) // says so
	case unchecked.Is32[U]():
		return U(unchecked.SparseDot(columns, as[float32](values), as[float32](w)))
	}
	return U(unchecked.SparseDot64(columns, values, as[float64](w)))
}

// oneMove adds step x to w.
func oneMove[T, U vec.Float](step U, columns []int32, values []T, w []U) {
	values = values[:len(columns)]
	switch {
	case !within(columns, len(w)):
		vec.SparseAxpy(step, columns, make([]U, len(columns)), w) // says so
	case unchecked.Is32[U]():
		unchecked.SparseAxpy(float32(step), columns, as[float32](values), as[float32](w))
	default:
		unchecked.SparseAxpy64(float64(step), columns, values, as[float64](w))
	}
}

// within reports whether all columns are among d.
func within(columns []int32, d int) bool {
	return len(columns) == 0 || uint64(unchecked.MaxIndex(columns)) < uint64(d)
}

// as returns x as numbers of type U, which is T.
func as[U, T vec.Float](x []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
