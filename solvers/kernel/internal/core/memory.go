package core

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Aligned returns a rows-by-cols matrix whose rows begin at multiples of 64 bytes: the bits of a sum may depend on
// that.
func Aligned[T vec.Float](rows, cols int) vec.Matrix[T] {
	lanes, stride := lanes[T](), Stride[T](cols)
	data := make([]T, rows*stride+lanes)
	past := int(uintptr(unsafe.Pointer(unsafe.SliceData(data))) % 64 / unsafe.Sizeof(T(0)))
	return vec.Matrix[T]{Rows: rows, Cols: cols, Stride: stride, Data: data[(lanes-past)%lanes:]}
}

// Stride is how far the rows of cols numbers of [Aligned] are from each other.
func Stride[T vec.Float](cols int) int { return shape.Padded(cols, lanes[T]()) }

// lanes is how many numbers have 64 bytes.
func lanes[T vec.Float]() int { return 64 / int(unsafe.Sizeof(T(0))) }

// AtLeast returns m if it is large enough, else a new matrix.
func AtLeast[T vec.Float](m vec.Matrix[T], rows, cols int) vec.Matrix[T] {
	if m.Rows >= rows && m.Cols >= cols {
		return m
	}
	return vec.NewMatrix[T](rows, cols)
}

// Choose sets dst[q] = row[list[q]].
func Choose[E any](dst, row []E, list []int) {
	for q, j := range list {
		dst[q] = row[j]
	}
}

// Run reports whether the numbers of list follow one another.
func Run(list []int) bool {
	for q, j := range list {
		if j != list[0]+q {
			return false
		}
	}
	return true
}

// Pick returns a copy of some rows of x.
func Pick[T vec.Float](x vec.Matrix[T], list []int) vec.Matrix[T] {
	some := vec.NewMatrix[T](len(list), x.Cols)
	for q, p := range list {
		copy(some.Row(q), x.Row(p))
	}
	return some
}

// Some returns from, ..., to-1, in the memory of list.
func Some(list []int, from, to int) []int {
	list = list[:0]
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}
