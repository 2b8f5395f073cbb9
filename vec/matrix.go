package vec

import (
	"errors"
	"math"

	"github.com/dualgap/dualgap/internal/shape"
)

// Matrix is a dense matrix in row-major order: element (i, j) is Data[i*Stride+j]. Between the end of a row and the
// start of the next there may be a gap, which no function here reads or writes: so a Matrix may be a window of a wider
// one. Copies of a Matrix share Data, as copies of a slice do.
//
// Its fields are the fields of gonum's blas64.General and blas32.General in their order, so that conversions go both
// ways: vec.Matrix[float64](m.RawMatrix()) and blas64.General(a).
//
// The functions of this package take matrices of float32 and float64; package low takes integers, bits and halves.
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

// At returns element (i, j). It panics where there is none. Loops over many elements are quicker with [Matrix.Row].
func (a Matrix[T]) At(i, j int) T {
	if uint(i) >= uint(a.Rows) || uint(j) >= uint(a.Cols) {
		panic(noElement{i, j, a.Rows, a.Cols})
	}
	return a.Data[i*a.Stride+j]
}

// Row returns row i as a slice that shares the numbers of the matrix. It panics where there is no such row.
func (a Matrix[T]) Row(i int) []T {
	if uint(i) >= uint(a.Rows) {
		panic(noRow{i, a.Rows})
	}
	if a.Cols == 0 {
		return nil // Data may be shorter than the strides say
	}
	return a.Data[i*a.Stride : i*a.Stride+a.Cols : i*a.Stride+a.Cols]
}

// Slice returns the window of rows i to i2-1 and columns j to j2-1, which shares the numbers of the matrix. It panics
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

// Check panics with a [ShapeError] where [Matrix.Validate] returns an error, and with its text. It is for functions
// that take a Matrix as an argument and trust it from there on.
func (a Matrix[T]) Check() {
	if fault := a.fault(); fault != "" {
		panic(shape.Error("vec: " + fault))
	}
}

// Validate returns nil where the sizes, the stride and the length of Data fit together, and otherwise an error that
// names the numbers that do not. It does not look at the elements of Data.
func (a Matrix[T]) Validate() error {
	if fault := a.fault(); fault != "" {
		return errors.New("vec: " + fault)
	}
	return nil
}

// fault says in what way a is not sound, or nothing.
func (a *Matrix[T]) fault() string { return shape.Fault(a.Rows, a.Cols, a.Stride, len(a.Data)) }

// demand panics in the name of a function unless a is sound. It copies no matrix: a copy would have to wait until all
// earlier writes to it have reached the cache.
func (a *Matrix[T]) demand(function string) {
	if shape.Sound(a.Rows, a.Cols, a.Stride, len(a.Data)) {
		return
	}
	if fault := a.fault(); fault != "" {
		panic(unfit(function, "%s", fault))
	}
}

// reaches is a quick Validate of a matrix of 1 to 64 rows: true only where all is well.
func (a *Matrix[T]) reaches() bool {
	n := len(a.Data)
	return uint(a.Cols) <= uint(a.Stride) && uint(a.Stride) <= uint(n) && uint64(a.Rows-1)*uint64(a.Stride) <= uint64(
		n-a.Cols)
}
