package chart

import "testing"

func TestDecades(t *testing.T) {
	for _, c := range [][4]float64{{10, 1e6, 1, 6}, {2e-5, 3e-2, -5, -1}, {5, 5, 0, 1}, {1, 1, 0, 1}} {
		if a, b := decades(c[0], c[1]); a != c[2] || b != c[3] {
			t.Errorf("%v: %v to %v", c, a, b)
		}
	}
}
