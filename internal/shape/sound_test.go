package shape

import (
	"math"
	"testing"
)

// TestSound: a matrix is sound where the last element of its last row is among its elements, and there is one.
func TestSound(t *testing.T) {
	for _, c := range []struct {
		rows, cols, stride, n int
		sound                 bool
	}{
		{1, 1, 1, 1, true}, {1, 1, 1, 0, false}, {0, 1, 1, 1, false}, {1, 0, 1, 1, false}, {-1, 1, 1, 9, false},
		{1, -1, 1, 9, false}, {0, 0, 0, 0, false}, {3, 4, 4, 12, true}, {3, 4, 4, 11, false}, {3, 4, 5, 14, true},
		{3, 4, 5, 13, false}, {3, 4, 3, 99, false}, {1, 4, 100, 4, true}, {1, 4, 100, 3, false},
		{2, 4, math.MaxInt, 99, false}, {math.MaxInt, 2, math.MaxInt, math.MaxInt, false},
	} {
		if got := Sound(c.rows, c.cols, c.stride, c.n); got != c.sound {
			t.Errorf("%+v: %t", c, got)
		}
		if fault := Fault(c.rows, c.cols, c.stride, c.n); c.sound && fault != "" ||
			!c.sound && fault == "" && c.rows != 0 && c.cols != 0 {
			t.Errorf("%+v: fault %q", c, fault)
		}
	}
}
