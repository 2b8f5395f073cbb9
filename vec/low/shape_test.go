package low

import (
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

func TestShapes(t *testing.T) {
	for want, f := range map[string]func(){
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
}

// demanding demands a matrix of a size, a number of elements and a stride.
func demanding(rows, cols, n, stride int) func() {
	a := vec.Matrix[int8]{Rows: rows, Cols: cols, Data: make([]int8, n), Stride: stride}
	return func() { demand("F", &a) }
}
