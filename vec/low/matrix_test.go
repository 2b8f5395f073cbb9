package low

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// refused reports what f panics with, which must be a vec.ShapeError, or fails.
func refused(t *testing.T, f func()) (text string) {
	t.Helper()
	defer func() {
		t.Helper()
		e, ok := recover().(vec.ShapeError)
		if !ok {
			t.Fatal("no ShapeError")
		}
		text = e.Error()
	}()
	f()
	return ""
}

func TestMatrix(t *testing.T) {
	a := MatrixOf(2, 3, []int8{1, 2, 3, 4, 5, 6})
	if r := a.Row(1); len(r) != 3 || cap(r) != 3 || r[0] != 4 {
		t.Errorf("row 1 is %v of capacity %d", r, cap(r))
	}
	b := a.Slice(0, 2, 1, 3)
	if b.Rows != 2 || b.Cols != 2 || b.Stride != 3 || len(b.Data) != 5 || b.Row(1)[1] != 6 {
		t.Errorf("window is %+v", b)
	}
	if c := NewMatrix[uint8](3, 0); c.Row(2) != nil || c.Validate() != nil {
		t.Errorf("matrix without columns: row %v, error %v", c.Row(2), c.Validate())
	}
	if c := a.Slice(1, 1, 0, 3); c.Data != nil || c.Validate() != nil {
		t.Errorf("empty window is %+v, error %v", c, c.Validate())
	}
	for want, f := range map[string]func(){
		"low: NewMatrix: matrix of -1 rows and 2 columns":                   func() { NewMatrix[int8](-1, 2) },
		"low: MatrixOf: 3 numbers for a matrix of 2 rows and 2 columns":     func() { MatrixOf(2, 2, make([]int8, 3)) },
		"low: Matrix.Row: row 2 of a matrix with 2 rows":                    func() { a.Row(2) },
		"low: Matrix.Slice: window [0:3, 0:1] of a 2x3 matrix":              func() { a.Slice(0, 3, 0, 1) },
		"low: F: stride 1 is less than 2 columns":                           demanding(1, 2, 2, 1),
		"low: F: matrix of 1 rows and -2 columns":                           demanding(1, -2, 0, 1),
		"low: F: 5 numbers are too few for 2 rows of 3 columns at stride 3": demanding(2, 3, 5, 3),
		"low: F: 1 numbers are too few for 1 rows of 2 columns at stride 2": demanding(1, 2, 1, 2),
		"low: F: lengths 3 and 4 differ":                                    func() { match("F", 3, 4) },
	} {
		if got := refused(t, f); got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
	if err := (Matrix[int8]{math.MaxInt, 2, make([]int8, 9), math.MaxInt}).Validate(); err == nil {
		t.Error("rows and stride whose product overflows are valid")
	}
}

// demanding demands a matrix of a size, a number of elements and a stride.
func demanding(rows, cols, n, stride int) func() {
	a := Matrix[int8]{rows, cols, make([]int8, n), stride}
	return func() { a.demand("F") }
}
