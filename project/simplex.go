package project

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Relation says how the sum of x relates to its bound r.
type Relation uint8

const (
	Equal  Relation = iota // <1,x> = r
	AtMost                 // <1,x> <= r
)

// Simplex sets dst to the projection of a onto { x >= 0, <1,x> = r }, or <= r, and returns its thresholds: U = r and
//
//	x_i = max(0, a_i - T),  Lambda = T,
//
// the multiplier of the sum, which is at least 0 with AtMost. An empty vector stays empty.
//
// dst and a have the same length; they may be the same slice and may not overlap otherwise. An element -Inf stands for
// its limit. NaN or +Inf in a makes dst and the thresholds NaN. Simplex panics unless the lengths agree and r >= 0 is
// finite.
//
// The threshold is the root of the convex function sum_i max(0, a_i - t) - r. Newton's method finds it on the few
// elements that pruning leaves (see the package comment). O(d).
func Simplex[T vec.Float](dst, a []T, rel Relation, r T, w *Workspace[T]) Thresholds {
	checkLengths("Simplex", dst, a)
	checkFinite("Simplex", r)
	if len(a) == 0 {
		return Thresholds{U: float64(r)}
	}
	if rel == AtMost {
		return capped(dst, a, 1, float64(r), 0, w)
	}
	return simplex(dst, a, float64(r), w)
}

// simplex is Simplex with Equal.
func simplex[T vec.Float](dst, a []T, r float64, w *Workspace[T]) Thresholds {
	if w == nil {
		w = newWorkspace[T]()
	}
	if w.smallEqual(dst, a, r, r) {
		return w.problem.thresholds()
	}
	cand := a
	if w.prunes(len(a), 1) {
		if len(a) <= cheapTo {
			cand = w.collect(dst, a, 1, lowBound{limit: r, rest: math.Inf(1)})
		}
		if len(cand) > classes {
			m, bound := w.classMaxima(cand), 0.0
			if w.smallEqual(w.sink[:], m, r, r) {
				t := w.problem.T
				bound = t - 0x1p-48*(math.Abs(t)+r)
			} else {
				c, t, _ := simplexThreshold(w.scratch(classes), m, r)
				bound = c + t - 0x1p-48*(math.Abs(c)+r)
			}
			cand = w.above(dst, a, cand, bound)
		}
		if len(cand) < len(a) && w.smallEqual(cand, cand, r, r) {
			w.spreadSmall(dst, a, cand)
			return w.problem.thresholds()
		}
	}
	c, t, ok := simplexThreshold(w.scratch(len(cand)), cand, r)
	if !ok {
		return undefined(dst)
	}
	th := w.write(dst, a, cand, c, t, r)
	th.Lambda = th.T
	return th
}

// simplexThreshold returns the largest element c of a, and t <= 0 with sum_i max(0, a_i - c - t) = r. It reports false
// when c is not finite or an element is NaN.
func simplexThreshold[T vec.Float](v []float64, a []T, r float64) (c, t float64, ok bool) {
	v, ok = largest(v, a, 1)
	c = v[0]
	if !ok || c-c != 0 {
		return c, 0, false
	}
	v[0] = 0
	v = appendAbove(v, a, c, -r)
	if r > 0 {
		t, _, _ = newton(v, -r, 1, r, 0)
	}
	return c, t, true
}

// Orthant sets dst to the biased projection of a onto { x >= 0 },
//
//	argmin 1/2 |a - x|² + rho/2 <1,x>²  over  x >= 0,
//
// and returns its thresholds: x_i = max(0, a_i - T), T = rho <1,x>, U = Inf and Lambda = 0. It is [TopKSimplex] with k
// = 1 and r = Inf: aliasing, NaN, panics and time are the same. An empty vector stays empty.
func Orthant[T vec.Float](dst, a []T, rho T, w *Workspace[T]) Thresholds {
	checkLengths("Orthant", dst, a)
	checkFactor("Orthant", "rho", rho)
	if len(a) == 0 {
		return Thresholds{U: math.Inf(1)}
	}
	return capped(dst, a, 1, math.Inf(1), float64(rho), w)
}

// TopKCone sets dst to the biased projection of a onto the top-k cone { 0 <= x_i <= <1,x>/k } (Lemma 3). It is
// [TopKSimplex] with r = Inf, and Lambda is 0.
func TopKCone[T vec.Float](dst, a []T, k int, rho T, w *Workspace[T]) Thresholds {
	r := T(math.Inf(1))
	check("TopKCone", dst, a, k, r, rho)
	return TopKSimplex(dst, a, k, r, rho, w)
}

// Box sets dst to the projection of a onto { l <= x_i <= u }, which clips each element. NaN stays NaN. dst may be a.
// Box panics unless the lengths agree and l <= u. O(d).
func Box[T vec.Float](dst, a []T, l, u T) {
	checkLengths("Box", dst, a)
	if !(l <= u) {
		panic(unfit("Box", "bounds %v and %v, want l <= u", l, u))
	}
	clip(dst, a, 0, 0, float64(l), float64(u))
}
