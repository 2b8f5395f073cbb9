package low

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/dualgap/dualgap/internal/shape"
)

// Matrix is a dense matrix in row-major order, as [github.com/dualgap/dualgap/vec.Matrix] is, of elements of any type:
// element (i, j) is Data[i*Stride+j]. Between the end of a row and the start of the next there may be a gap, which no
// function here reads or writes: so a Matrix may be a window of a wider one. Copies of a Matrix share Data.
type Matrix[T any] struct {
	Rows, Cols int // size
	Data       []T // at least (Rows-1)*Stride+Cols elements when Rows and Cols are positive
	Stride     int // distance in elements from one row to the next, at least Cols
}

// NewMatrix returns a matrix of zeros without gaps between its rows. It panics when a size is negative or the two are
// too large together.
func NewMatrix[T any](rows, cols int) Matrix[T] {
	if rows < 0 || cols < 0 || cols > 0 && rows > math.MaxInt/cols {
		panic(unfit("NewMatrix", "matrix of %d rows and %d columns", rows, cols))
	}
	return Matrix[T]{Rows: rows, Cols: cols, Stride: cols, Data: make([]T, rows*cols)}
}

// MatrixOf returns data as a matrix of the given size, without copying. It panics unless len(data) == rows*cols.
func MatrixOf[T any](rows, cols int, data []T) Matrix[T] {
	if rows < 0 || cols < 0 || cols > 0 && rows > math.MaxInt/cols || len(data) != rows*cols {
		panic(unfit("MatrixOf", "%d numbers for a matrix of %d rows and %d columns", len(data), rows, cols))
	}
	return Matrix[T]{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

// Row returns row i as a slice that shares the elements of the matrix. It panics where there is no such row.
func (a Matrix[T]) Row(i int) []T {
	if uint(i) >= uint(a.Rows) {
		panic(unfit("Matrix.Row", "row %d of a matrix with %d rows", i, a.Rows))
	}
	if a.Cols == 0 {
		return nil // Data may be shorter than the strides say
	}
	return a.Data[i*a.Stride : i*a.Stride+a.Cols : i*a.Stride+a.Cols]
}

// Slice returns the window of rows i to i2-1 and columns j to j2-1, which shares the elements of the matrix. It panics
// where it leaves it.
func (a Matrix[T]) Slice(i, i2, j, j2 int) Matrix[T] {
	if i < 0 || i2 < i || a.Rows < i2 || j < 0 || j2 < j || a.Cols < j2 {
		panic(unfit("Matrix.Slice", "window [%d:%d, %d:%d] of a %dx%d matrix", i, i2, j, j2, a.Rows, a.Cols))
	}
	b := Matrix[T]{Rows: i2 - i, Cols: j2 - j, Stride: a.Stride}
	if b.Rows > 0 && b.Cols > 0 {
		b.Data = a.Data[i*a.Stride+j : (i2-1)*a.Stride+j2]
	}
	return b
}

// Validate returns nil where the sizes, the stride and the length of Data fit together, and otherwise an error that
// names the numbers that do not. It does not look at the elements of Data.
func (a Matrix[T]) Validate() error {
	if fault := a.fault(); fault != "" {
		return errors.New("low: " + fault)
	}
	return nil
}

// fault says in what way a is not sound, or nothing.
func (a *Matrix[T]) fault() string {
	switch {
	case a.Rows < 0 || a.Cols < 0:
		return fmt.Sprintf("matrix of %d rows and %d columns", a.Rows, a.Cols)
	case a.Rows == 0 || a.Cols == 0:
		return ""
	case a.Stride < a.Cols:
		return fmt.Sprintf("stride %d is less than %d columns", a.Stride, a.Cols)
	case a.Rows-1 > (len(a.Data)-a.Cols)/a.Stride || len(a.Data) < a.Cols:
		return fmt.Sprintf("%d numbers are too few for %d rows of %d columns at stride %d", len(a.Data), a.Rows, a.Cols,
			a.Stride)
	}
	return ""
}

// demand panics in the name of a function unless a is sound.
func (a *Matrix[T]) demand(function string) {
	if a.Rows > 0 && a.Cols > 0 && a.Stride >= a.Cols && len(a.Data) >= a.Cols {
		if high, low := bits.Mul(uint(a.Rows-1), uint(a.Stride)); high == 0 && low <= uint(len(a.Data)-a.Cols) {
			return
		}
	}
	if fault := a.fault(); fault != "" {
		panic(unfit(function, "%s", fault))
	}
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
