package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// entropy is a proximal problem; t is the threshold found last.
type entropy struct {
	a                      []float64
	w                      []float64 // X(a_i - t)/gamma, for the t of the last pass, and in the end x
	k, r, rho, gamma, logG float64
	t                      float64
	step                   float64 // from the t of w to t
	near                   float64 // a step no longer than this is the last
	bend                   float64 // what uncapped adds to curvature
	passes                 int     // over a, by sums
}

func newEntropy[T vec.Float](a []T, r, gamma float64, w *Workspace[T]) (e entropy, ok bool) {
	n := len(a)
	both := w.scratch(2 * (n + 1))[:2*(n+1)]
	v := both[: n : n+1]
	for i, ai := range a {
		x := float64(ai)
		if x-x != 0 {
			return e, false
		}
		v[i] = x
	}
	if !unchecked.Is32[T]() { // so that (a_i - t)/gamma is a number; of so small a gamma x is the simplex's, rounded
		gamma = max(gamma, 0x1p-1000*r, 0x1p-1000*vec.Max(v), -0x1p-1000*vec.Min(v))
	}
	e = entropy{a: v, w: both[n+1:][:n], k: 1, r: r, gamma: gamma, logG: math.Log(gamma), t: math.Inf(-1)}
	e.near = gamma * 0x1p-18 // d³/6 in solution is less than rounding
	if unchecked.Is32[T]() {
		e.near = gamma * 0x1p-9
	}
	return e, true
}

// inverse is the b with X(b) = x.
func (e *entropy) inverse(x float64) float64 { return x + e.gamma*math.Log(x) }

// sums sets w at t and returns sum_i X(a_i - t) and minus its slope in t. X(b) = gamma omega((b - gamma log
// gamma)/gamma).
func (e *entropy) sums(t float64) (s, slope float64) { return e.sumsFrom(0, t) }

// sumsFrom is sums over the elements from number n on.
func (e *entropy) sumsFrom(n int, t float64) (s, slope float64) {
	e.passes++
	e.t, e.step = t, 0
	a, w := e.a[n:], e.w[n:]
	if 0x1p-1000 < e.gamma && e.gamma < 0x1p900 {
		s, slope = unchecked.OmegaSum(w, a, t+e.gamma*e.logG, 1/e.gamma)
	} else { // 1/gamma or gamma log gamma may overflow
		for i, a := range a {
			w[i] = (a-t)/e.gamma - e.logG
		}
		s, slope = unchecked.OmegaSum(w, w, 0, 1)
	}
	return s * e.gamma, slope
}

// start returns a t at which sum_i X(a_i - t) >= s, so that it is no larger than the root. Let M be the largest X; then
//
//	X_i = exp((a_i - t - X_i)/gamma) >= exp((a_i - t - M)/gamma) = M exp((a_i - max a)/gamma),
//
// whose sum over i is M Z: M <= s/Z, so that t = max a - inverse(M) >= max a - inverse(s/Z). Where gamma is large that
// is nearly the root, as for the softmax. The mean of the a less inverse(s/d) is no larger than the root either, as X
// is convex, and nearly the root where they are close together.
func (e *entropy) start(s float64) float64 {
	most := vec.Max(e.a)
	for i, a := range e.a {
		e.w[i] = (a - most) / e.gamma
	}
	z := unchecked.ExpSum(e.w, e.w, 0)
	d := float64(len(e.a))
	return max(most-e.inverse(s/z), vec.Sum(e.a)/d-e.inverse(s/d))
}

// shift solves sum_i X(a_i - t) = s.
func (e *entropy) shift(s float64) {
	e.climb(e.start(s), func(t float64) (f, slope float64) {
		sum, down := e.sums(t)
		return unlessRounding(sum-s, s), -down
	})
}

// uncapped solves t = rho s - gamma log(r-s), s = sum_i X(a_i - t), sets w to the X and returns s: with y = r - s, the
// first is a function y of t, convex and falling as the X are, and the second reads sum_i X(a_i - t) + y(t) = r. For
// rho = 1 it is y = X(r - t), as if r were one more element.
func (e *entropy) uncapped() float64 {
	n := len(e.a)
	if e.rho == 1 {
		e.a, e.w = append(e.a, e.r), e.w[:n+1]
		e.shift(e.r)
		e.a, e.w = e.a[:n], e.w[:n]
		return min(e.solution(), e.r)
	}
	lo := max(e.start(e.r), -e.gamma*math.Log(e.r)) // where the elements, or y, have the sum r
	e.climb(lo, func(t float64) (f, slope float64) {
		s, down := e.sums(t)
		y := e.rest(t)
		z := e.rho*y + e.gamma
		e.bend = e.gamma * y / (z * z * z)
		return unlessRounding(s+y-e.r, e.r), -down - y/z
	})
	return min(e.solution(), e.r)
}

// solution replaces w by the x_i and returns their sum. They follow the last step to second order: with d = step/gamma,
// X = gamma w and q = 1/(1+w) the derivatives of w are w q and w q³; the third, w (1-2w) q⁵, is at most w, so that the
// relative error is |d|³/6.
func (e *entropy) solution() (sum float64) {
	d := e.step / e.gamma
	for i, w := range e.w {
		x := e.gamma * w
		if d != 0 {
			q := 1 / (1 + w)
			x *= 1 - d*q*(1-0.5*d*q*q)
		}
		e.w[i] = x
		sum += x
	}
	return sum
}

// curvature returns the second derivative of sum_i X(a_i - t) in t.
func (e *entropy) curvature() (sum float64) {
	for _, w := range e.w {
		q := 1 / (1 + w)
		sum += w * q * q * q
	}
	return sum / e.gamma
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

// climb sets t to the root of a convex falling function, given with its slope, by Newton's method from a t at the left
// of it, or, by rounding, a little to the right, from where the first step leads back. A step leads no further than to
// the root: the function lies above its tangents. A later step that does not climb is rounding, and ends it.
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
//
// A step that is short, |d| <= near, is the last, and w follows it in solution. It solves v + v' d + v" d²/2 = 0, to
// the same order.
func (e *entropy) climb(t float64, f func(t float64) (value, slope float64)) {
	for first := true; ; first = false {
		v, slope := f(t)
		next := t - v/slope
		if v == 0 || !(v > 0 && t < next || first) || !(math.Abs(next) <= math.MaxFloat64) {
			return
		}
		if math.Abs(next-t) <= e.near {
			c := e.curvature() + e.bend
			e.step = 2 * v / (math.Sqrt(max(0, slope*slope-2*v*c)) - slope)
			e.t += e.step
			return
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
