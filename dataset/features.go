package dataset

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// What Dense and CSR share as design.Matrix, whose documentation tells what its methods do.

// count is the number of examples that rows stands for: nil is all n.
func count(rows []int, n int) int {
	if rows == nil {
		return n
	}
	return len(rows)
}

// at is the example at place p of rows.
func at(rows []int, p int) int {
	if rows == nil {
		return p
	}
	return rows[p]
}

// mustBe panics unless m, which the message calls name, is a sound rows-by-cols matrix.
func mustBe[T vec.Float](function, name string, m *vec.Matrix[T], rows, cols int) {
	if m.Rows != rows || m.Cols != cols {
		panic(shape.Errorf("dataset: "+function, "%s is %d-by-%d, want %d-by-%d", name, m.Rows, m.Cols, rows, cols))
	}
	m.Check()
}

// mustLieWithin panics unless from, ..., to-1 are rows of a matrix with n.
func mustLieWithin(function string, from, to, n int) {
	if from < 0 || to < from || n < to {
		panic(shape.Errorf("dataset: "+function, "window of rows %d to %d of a matrix with %d rows", from, to, n))
	}
}

// mustHold panics unless dst has a place for each of n examples.
func mustHold[T vec.Float](function string, dst []T, n int) {
	if len(dst) != n {
		panic(shape.Errorf("dataset: "+function, "%d numbers for the squared norms of %d examples", len(dst), n))
	}
}
