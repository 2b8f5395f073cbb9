package gonumblas

import (
	"math"
	"testing"
)

// TestShapes: sizes whose product overflows an int do not fit anything.
func TestShapes(t *testing.T) {
	const wraps = math.MaxInt/4 + 2 // 4*wraps is a small number, modulo the size of an int
	for _, c := range []struct {
		m, n, ld, length int
		want             bool
	}{
		{1, 1, 1, 1, true}, {1, 1, 1, 0, false}, {0, 1, 1, 5, false}, {1, 0, 1, 5, false}, {-1, 1, 1, 5, false},
		{1, -1, 1, 5, false},
		{3, 2, 4, 10, true}, {3, 2, 4, 9, false}, {3, 2, 1, 99, false}, {3, 2, -4, 99, false},
		{5, 1, wraps, 1000, false}, {9, 1, wraps, 1000, false}, {math.MaxInt, 1, 1, 1000, false},
		{2, math.MaxInt, math.MaxInt, 1000, false},
		{math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt, false},
	} {
		if got := isMatrix(c.m, c.n, c.ld, c.length); got != c.want {
			t.Errorf("%d rows of %d, %d apart, in %d: %v", c.m, c.n, c.ld, c.length, got)
		}
	}
	for _, c := range []struct {
		n, inc, length int
		want           bool
	}{
		{4, 1, 4, true}, {4, 1, 3, false}, {4, -2, 7, true}, {4, -2, 6, false}, {4, 0, 9, false}, {0, 1, 9, false},
		{-1, 1, 9, false},
		{5, wraps, 1000, false}, {5, math.MinInt, 1000, false}, {1, math.MinInt, 1, true}, {1, math.MaxInt, 1, true},
	} {
		if got := isVector(c.n, c.inc, c.length); got != c.want {
			t.Errorf("vector of %d, %d apart, in %d: %v", c.n, c.inc, c.length, got)
		}
	}
}
