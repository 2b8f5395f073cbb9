package project

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// vectorsFrom is the number of elements from which the call of a kernel pays.
const vectorsFrom = 24

// sumAbove returns the sum and the number of the elements of v that exceed t. It has no branch on the data. The sum of
// a long vector is one of differences to t: exact to rounding of t, hence less so where t is far from the root.
func sumAbove(v []float64, t float64) (s float64, m int) {
	if len(v) >= vectorsFrom {
		s, m = vec.SumAbove(v, t)
		return s + float64(float64(m)*t), m
	}
	for _, x := range v {
		above := negative(t - x) // t and x are no NaN
		s += math.Float64frombits(math.Float64bits(x) & -above)
		m += int(above)
	}
	return s, m
}

// newton solves e sum_j max(0, v_j - t) = g + h t for t, where e and h are not negative, and returns with t the sum s
// and the number m of the elements above it.
//
// The difference F of the two sides is convex, falling and piecewise linear, so that a Newton step from anywhere lands
// at the root or to its left, and from there on t grows and the elements above it become fewer at each step: when their
// number stays, the set has stayed, and t solves its own linear equation. That is at most m + 2 steps in exact
// arithmetic; a step that does not grow, which is rounding, ends it too. When h = 0 some v_j must exceed the first t.
func newton(v []float64, t, e, g, h float64) (root, s float64, m int) {
	for step, last := 0, -1; ; step++ {
		s, m = sumAbove(v, t)
		slope := e*float64(m) + h
		if m == last && len(v) < vectorsFrom || slope == 0 {
			return t, s, m
		}
		next := (e*s - g) / slope
		if step > 0 && (m == last || next <= t) {
			if len(v) >= vectorsFrom {
				t = next // from a sum at the root
			}
			return t, s, m
		}
		t, last = next, m
	}
}
