package design

import (
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// Packed returns the sparse rows of x as they lie in memory, where they follow each other: example i has the columns
// columns[ptr[i]:ptr[i+1]] and the values values[ptr[i]:ptr[i+1]], which must not be changed. x's method Packed returns
// them, where it has one; ptr is nil where it has none, or where the rows are not the memory that its method Row
// returns, as in a type that embeds a storage and has a Row of its own. O(n).
func Packed[T vec.Float](x SparseRows[T]) (ptr []int, columns []int32, values []T) {
	p, ok := x.(packed[T])
	if !ok {
		return nil, nil, nil
	}
	n, _ := x.Dims()
	if ptr, columns, values = p.Packed(); len(ptr) != n+1 {
		return nil, nil, nil
	}
	for i := range n {
		c, v := x.Row(i)
		from, to := ptr[i], ptr[i+1]
		if !(0 <= from && from <= to && to <= len(columns) && to <= len(values)) || !same(c, columns[from:to]) ||
			!same(v, values[from:to]) {
			return nil, nil, nil
		}
	}
	return ptr, columns, values
}

type packed[T vec.Float] interface {
	Packed() (ptr []int, columns []int32, values []T)
}

// same reports whether a and b are the same memory.
func same[E any](a, b []E) bool {
	return len(a) == len(b) && (len(a) == 0 || unsafe.SliceData(a) == unsafe.SliceData(b))
}
