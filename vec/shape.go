package vec

import "github.com/dualgap/dualgap/internal/shape"

// ShapeError is what functions panic with when their arguments do not fit: lengths or sizes that differ, an index or a
// number out of range. It names the function and the numbers, as in "vec: Dot: lengths 3 and 4 differ". Like a
// [runtime.Error] it tells of an error in the program, not in its input: programs that take lengths from their input
// have to check them first. The packages dataset, pq, project and solvers panic with a ShapeError too. Who writes
// a storage for solvers may do so too, with a type of its own.
type ShapeError interface {
	error
	ShapeError() // does nothing but tell these errors from others
}

var _ ShapeError = shape.Error("")

func unfit(function, format string, numbers ...any) shape.Error {
	return shape.Errorf("vec: "+function, format, numbers...)
}

// match panics when two lengths differ.
func match(function string, m, n int) {
	if m != n {
		panic(mismatch{function, m, n})
	}
}

// What follows are ShapeErrors made without a call, so that the functions that panic with them are inlined: see
// inline_test.go.

// mismatch is the error of two lengths that differ.
type mismatch struct {
	function string
	m, n     int
}

func (e mismatch) Error() string {
	return unfit(e.function, "lengths %d and %d differ", e.m, e.n).Error()
}
func (mismatch) ShapeError() {}

// lengths is a mismatch behind the number of the function: what Dot32 and its kin have room for is an array.
type lengths [3]int

const (
	dot = iota
	squaredDistance
	axpy
	mixedDot
	mixedAxpy
	add
	mul
)

func (e lengths) Error() string {
	name := [...]string{
		dot: "Dot", squaredDistance: "SquaredDistance", axpy: "Axpy", mixedDot: "MixedDot", mixedAxpy: "MixedAxpy",
		add: "Add", mul: "Mul",
	}[e[0]]
	return mismatch{name, e[1], e[2]}.Error()
}
func (lengths) ShapeError() {}

// noRow is the error of Row: a row outside the matrix, and the number of rows.
type noRow [2]int

func (e noRow) Error() string {
	return unfit("Matrix.Row", "row %d of a matrix with %d rows", e[0], e[1]).Error()
}
func (noRow) ShapeError() {}

// noElement is the error of At: an element outside the matrix, and the size of the matrix.
type noElement [4]int

func (e noElement) Error() string {
	return unfit("Matrix.At", "element (%d, %d) of a %dx%d matrix", e[0], e[1], e[2], e[3]).Error()
}
func (noElement) ShapeError() {}
