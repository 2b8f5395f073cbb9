package project

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// entropy is a proximal problem; t is the threshold found last.
type entropy struct {
	a                      []float64
	k, r, rho, gamma, logG float64
	t                      float64
	passes                 int // over a, by sums
}

func newEntropy[T vec.Float](a []T, r, gamma float64, w *Workspace[T]) (e entropy, ok bool) {
	v := w.scratch(len(a))
	for _, ai := range a {
		x := float64(ai)
		if x-x != 0 {
			return e, false
		}
		v = append(v, x)
	}
	return entropy{a: v, k: 1, r: r, gamma: gamma, logG: math.Log(gamma), t: math.Inf(-1)}, true
}

// value is X(b).
func (e *entropy) value(b float64) float64 { return e.gamma * omega(b/e.gamma-e.logG) }

// inverse is the b with X(b) = x.
func (e *entropy) inverse(x float64) float64 { return x + e.gamma*math.Log(x) }

// sums returns sum_i min(X(a_i - t), u), minus its slope in t, and the number of elements at u.
func (e *entropy) sums(t, u float64) (s, slope float64, atCap int) {
	e.passes++
	for _, a := range e.a {
		if x := e.value(a - t); x < u {
			s += x
			slope += x / (x + e.gamma)
		} else {
			s += u
			atCap++
		}
	}
	return s, slope, atCap
}

// shift returns the t with sum_i X(a_i - t) = s.
func (e *entropy) shift(s float64) float64 {
	return climb(slices.Max(e.a)-e.inverse(s), func(t float64) (f, slope float64) { // where one element is s
		sum, down, _ := e.sums(t, math.Inf(1))
		return unlessRounding(sum-s, s), -down
	})
}

// uncapped solves t = rho s - gamma log(r-s), s = sum_i X(a_i - t), leaves t and returns s: with y = r - s, the first
// is a function y of t, convex and falling as the X are, and the second reads sum_i X(a_i - t) + y(t) = r.
func (e *entropy) uncapped() float64 {
	lo := max(slices.Max(e.a)-e.inverse(e.r), -e.gamma*math.Log(e.r)) // where one element, or y, is r
	e.t = climb(lo, func(t float64) (f, slope float64) {
		s, down, _ := e.sums(t, math.Inf(1))
		y := e.rest(t)
		return unlessRounding(s+y-e.r, e.r), -down - y/(e.rho*y+e.gamma)
	})
	s, _, _ := e.sums(e.t, math.Inf(1))
	return min(s, e.r)
}

// rest returns the y with rho y + gamma log y = rho r - t.
func (e *entropy) rest(t float64) float64 {
	if e.rho == 0 {
		return math.Exp(-t / e.gamma)
	}
	z := (e.rho*e.r-t)/e.gamma + math.Log(e.rho) - e.logG
	if !(z < 0x1p1000) { // where log y does not count
		return e.r - t/e.rho
	}
	return omega(z) * (e.gamma / e.rho)
}

// climb returns the root of a convex falling function, given with its slope, by Newton's method from t, which is at the
// left of it. A step leads no further than to the root: the function lies above its tangents. A step that does not
// climb is rounding, and ends it.
//
// The number of steps is small wherever t is. Let v, v' be value and slope before a step, w, w' those behind it. As v
// is above the tangent there, v >= w + w' v/v', so that w/v + w'/v' <= 1, and so w w' <= v v'/4. After n steps the
// value v_n has
//
//	v_n v'_n <= 4^-n v_0 v'_0.
//
// In shift all d elements are at most s at the start: v_0 < d s, and with X' = X/(X + gamma), |v'_0| <= d s/(s +
// gamma); at the root |v'| >= s/(s + gamma). Rounding of s is reached, v_n <= 2^-51 s, after no more than (51 + 2 log2
// d)/2 steps. In uncapped y is one more of them, with y' = -y/(rho y + gamma): there are (51 + 2 log2(d+1) + log2 c)/2,
// c the larger one of (r + gamma)/(rho r + gamma) and its inverse.
func climb(t float64, f func(t float64) (value, slope float64)) float64 {
	for {
		v, slope := f(t)
		next := t - v/slope
		if !(v > 0 && t < next && next <= math.MaxFloat64) {
			return t
		}
		t = next
	}
}

// unlessRounding is v, or 0 where v is what remains of a sum whose terms have this magnitude.
func unlessRounding(v, magnitude float64) float64 {
	if math.Abs(v) <= 0x1p-51*magnitude {
		return 0
	}
	return v
}
