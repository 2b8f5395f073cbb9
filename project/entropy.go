package project

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// EntropySimplex sets dst to the proximal point of the negative entropy on the simplex,
//
//	argmin 1/2 |a - x|² + gamma sum_i x_i log x_i  over  x >= 0, <1,x> = r,
//
// and returns its thresholds: x_i + gamma log x_i = a_i - T, or with Lambert's W
//
//	x_i = gamma W(exp((a_i - T)/gamma)/gamma).
//
// U = r, and Lambda = T + gamma is the multiplier of the sum. Mid counts the elements that do not underflow to 0.
//
// dst may be a. Elements of a that are not finite, and a threshold that overflows, make dst and the thresholds NaN.
// EntropySimplex panics unless the lengths agree, r >= 0 and gamma > 0, both finite.
//
// Newton's method takes three to six steps, and no more than 28 + log2 d up to rounding. Each step evaluates W for
// every element, by vectors.
func EntropySimplex[T vec.Float](dst, a []T, r, gamma T, w *Workspace[T]) Thresholds {
	checkEntropy("EntropySimplex", dst, a, r, gamma)
	if len(a) == 0 || r == 0 {
		clear(dst)
		return Thresholds{T: math.Inf(1), U: float64(r), Lambda: math.Inf(1)}
	}
	e, ok := newEntropy(a, float64(r), float64(gamma), w)
	if !ok {
		return undefined(dst)
	}
	e.shift(e.r)
	if e.t-e.t != 0 {
		return undefined(dst)
	}
	e.solution()
	return writeEntropy(&e, dst, e.r, e.t+e.gamma)
}

// TopKEntropy sets dst to the proximal point of the entropy of the top-k simplex,
//
//	argmin 1/2 |a - x|² + rho/2 s² + gamma (sum_i x_i log x_i + (r-s) log(r-s))  over  0 <= x_i <= s/k, s = <1,x> <= r,
//
// the step of dual coordinate ascent for the top-k entropy loss, which for k = 1 is softmax. Its thresholds are
//
//	x_i = min(X(a_i - T), U),  X(b) + gamma log X(b) = b,  U = s/k,
//	T = rho s - gamma log(r-s) - sum_i max(0, a_i - T - U - gamma log U)/k,
//
// and Lambda = 0, as <1,x> <= r is never tight. Cap counts the elements at U. For k = 1 there is no cap, and U = r.
//
// Aliasing and NaN are as with [EntropySimplex]. TopKEntropy panics unless the lengths agree, 1 <= k <= d, r >= 0, rho
// >= 0 and gamma > 0, all finite.
//
// Where the cap does not bind it costs as much as EntropySimplex. Otherwise Newton's method, kept in an interval,
// solves the condition for s, and for each s another one finds T.
func TopKEntropy[T vec.Float](dst, a []T, k int, r, rho, gamma T, w *Workspace[T]) Thresholds {
	check("TopKEntropy", dst, a, k, r, rho)
	checkEntropy("TopKEntropy", dst, a, r, gamma)
	if r == 0 {
		clear(dst)
		return Thresholds{T: math.Inf(1)}
	}
	e, ok := newEntropy(a, float64(r), float64(gamma), w)
	if !ok {
		return undefined(dst)
	}
	e.rho, e.k = float64(rho), float64(k)
	s, u := e.uncapped(), math.Inf(1)
	if k > 1 && vec.Max(e.w) > s/e.k {
		slices.Sort(e.a)
		slices.Reverse(e.a)
		s = e.capped(s)
		u = s / e.k
		for i, v := range a { // as they were
			e.a[i] = float64(v)
		}
		e.sums(e.t)
		e.solution()
	}
	if e.t-e.t != 0 {
		return undefined(dst)
	}
	th := writeEntropy(&e, dst, u, 0)
	th.U = s / e.k
	if k == 1 {
		th.U = e.r
	}
	return th
}

func checkEntropy[T vec.Float](function string, dst, a []T, r, gamma T) {
	checkLengths(function, dst, a)
	checkFinite(function, r)
	if !(gamma > 0) || math.IsInf(float64(gamma), 1) {
		panic(unfit(function, "gamma = %v, want gamma > 0 and finite", gamma))
	}
}

// writeEntropy sets dst to min(x, u).
func writeEntropy[T vec.Float](e *entropy, dst []T, u, lambda float64) Thresholds {
	th := Thresholds{T: e.t, U: u, Lambda: lambda}
	for i, x := range e.w {
		switch {
		case x >= u:
			x = u
			th.Cap++
		case x > 0:
			th.Mid++
		}
		dst[i] = T(x)
	}
	return th
}
