package solvers

import "testing"

// TestNewton: a step solves H d = -g, in whole numbers without rounding, unless H is singular.
func TestNewton(t *testing.T) {
	slope, curve := [2]float64{8, -16}, [3]float64{4, 2, 3}
	a, b, ok := newton(slope, curve)
	if curve[0]*a+curve[1]*b != -slope[0] || curve[1]*a+curve[2]*b != -slope[1] || !ok {
		t.Errorf("a step of (%v, %v), %v", a, b, ok)
	}
	if _, _, ok := newton(slope, [3]float64{1, 2, 4}); ok {
		t.Error("a step of a singular matrix")
	}
}
