package low

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// demand panics in the name of a function unless a is sound.
func demand[T any](function string, a *vec.Matrix[T]) {
	if shape.Sound(a.Rows, a.Cols, a.Stride, len(a.Data)) {
		return
	}
	if fault := shape.Fault(a.Rows, a.Cols, a.Stride, len(a.Data)); fault != "" {
		panic(unfit(function, "%s", fault))
	}
}

// fit panics unless a is sound and has as many rows and columns as the vectors that meet them.
func fit[T any](function string, a *vec.Matrix[T], rows, cols int) {
	if a.Rows != rows || a.Cols != cols {
		panic(unfit(function, "%dx%d matrix, vectors of %d for its rows and %d for its columns", a.Rows, a.Cols, rows,
			cols))
	}
	demand(function, a)
}

// unfit is what functions panic with when their arguments do not fit: a vec.ShapeError.
func unfit(function, format string, numbers ...any) shape.Error {
	return shape.Errorf("low: "+function, format, numbers...)
}

// match panics when two lengths differ.
func match(function string, m, n int) {
	if m != n {
		panic(unfit(function, "lengths %d and %d differ", m, n))
	}
}
