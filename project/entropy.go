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
// and returns its threshold: x_i + gamma log x_i = a_i - T, that is x_i = gamma W(exp((a_i - T)/gamma)/gamma) with
// Lambert's W. U = r, Lambda = T + gamma is the multiplier of the sum; Mid counts what does not underflow to 0.
//
// dst may be a. When a holds what is not finite, dst and the thresholds become NaN. It panics unless the lengths agree, r
// >= 0 and gamma > 0, both finite. About ten steps of Newton's method, each d evaluations of W.
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
	s := e.r
	e.t = e.shift(s, s)
	return writeEntropy(&e, dst, a, s, e.t+e.gamma)
}

// TopKEntropy sets dst to the proximal point of the entropy of the top-k simplex,
//
//	argmin 1/2 |a - x|² + rho/2 s² + gamma (sum_i x_i log x_i + (r-s) log(r-s))  over  0 <= x_i <= s/k, s = <1,x> <= r,
//
// the step of dual coordinate ascent for the top-k entropy loss, and for k = 1 for softmax. Its thresholds are
//
//	x_i = min(X(a_i - T), U),  X(b) + gamma log X(b) = b,  U = s/k,
//	T = rho s - gamma log(r-s) - sum_i max(0, a_i - T - U - gamma log U)/k,
//
// Lambda = 0, as <1,x> <= r is never tight. Cap counts the elements at U. For k = 1 there is no cap, and U = r.
//
// Aliasing and NaN are as with EntropySimplex. It panics unless the lengths agree, 1 <= k <= d, r >= 0, rho >= 0 and gamma
// > 0, all finite.
//
// Newton's method, kept in an interval, on the condition in s; for each s another one finds T. Where the cap does not bind,
// T alone is sought.
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
	s := e.uncapped()
	u := math.Inf(1)
	if k > 1 && e.value(slices.Max(e.a)-e.t) > s/e.k {
		slices.Sort(e.a)
		slices.Reverse(e.a)
		s = e.capped()
		u = s / e.k
	}
	th := writeEntropy(&e, dst, a, u, 0)
	if th.U = s / e.k; k == 1 {
		th.U = e.r
	}
	return th
}

func checkEntropy[T vec.Float](function string, dst, a []T, r, gamma T) {
	checkLengths(function, dst, a)
	checkFinite(function, r)
	if !(gamma > 0) || math.IsInf(float64(gamma), 1) {
		panic(unfit(function, "gamma = %v, need gamma > 0 and finite", gamma))
	}
}

// entropy is a proximal problem; t is the threshold found last.
type entropy struct {
	a                      []float64
	k, r, rho, gamma, logG float64
	t                      float64
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

// shift returns the t with sum_i min(X(a_i - t), u) = s, where u times the number of elements is at least s. With u < s the
// elements are sorted downwards, and u = s/k.
func (e *entropy) shift(s, u float64) float64 {
	d := float64(len(e.a))
	hi := slices.Max(e.a) - e.inverse(s/d) // no element exceeds s/d
	lo := slices.Max(e.a) - e.inverse(s)   // one reaches s
	if u < s {
		lo = e.a[int(e.k)-1] - e.inverse(u) // k elements reach u
	}
	start := lo // from there Newton's method on a convex function climbs
	if lo < e.t && e.t < hi {
		start = e.t // of a problem close by
	}
	return bracketed(lo, hi, start, func(t float64) (f, slope float64) {
		sum, down, _ := e.sums(t, u)
		return unlessRounding(sum-s, s), -down
	})
}

// uncapped solves t = rho s - gamma log(r-s), s = sum_i X(a_i - t), leaves t and returns s.
func (e *entropy) uncapped() float64 {
	lo := e.shift(e.r, e.r) // s = r
	hi := max(lo, -e.gamma*math.Log(e.r)) + e.gamma
	f := func(t float64) (f, slope float64) { // falls with t
		s, down, _ := e.sums(t, math.Inf(1))
		if !(s < e.r) {
			return math.Inf(1), math.NaN()
		}
		l := e.gamma * math.Log(e.r-s)
		return unlessRounding(e.rho*s-l-t, e.rho*s+math.Abs(l)+math.Abs(t)), -1 - down*(e.rho+e.gamma/(e.r-s))
	}
	for width := e.gamma; ; width *= 2 {
		if v, _ := f(hi); v <= 0 {
			break
		}
		lo, hi = hi, hi+width
	}
	e.t = bracketed(lo, hi, hi, f)
	s, _, _ := e.sums(e.t, math.Inf(1))
	return min(s, e.r)
}

// capped solves the problem for k > 1 where the cap binds. In y = log(s/(r-s)), which is free, the derivative of the
// objective in s is
//
//	phi = t - rho s + gamma log(r-s) + p/k,  p = sum_i max(0, a_i - t - u - gamma log u),  u = s/k,
//
// and falls, the objective being convex; t(s) solves sum_i min(X(a_i - t), u) = s.
func (e *entropy) capped() float64 {
	at := func(y float64) (s, rest float64) { return e.r / (1 + math.Exp(-y)), e.r / (1 + math.Exp(y)) }
	phi := func(y float64) (f, slope float64) {
		s, rest := at(y)
		u := s / e.k
		e.t = e.shift(s, u)
		_, down, n := e.sums(e.t, u)
		top, p := e.inverse(u), 0.0
		for _, a := range e.a[:n] {
			p += max(0, a-e.t-top)
		}
		l := e.gamma * math.Log(rest)
		f = unlessRounding(e.t-e.rho*s+l+p/e.k, math.Abs(e.t)+e.rho*s+math.Abs(l)+p/e.k)
		free := 1 - float64(n)/e.k
		dt := 0.0
		if free > 0 && down > 0 {
			dt = -free / down
		}
		slope = dt - e.rho - e.gamma/rest - float64(n)/e.k*(dt+(1+e.gamma/u)/e.k)
		return f, slope * s * rest / e.r
	}
	lo, hi := -1.0, 1.0
	const most = 700 // beyond, exp leaves the normal numbers: x, or r - s, is nothing
	for f, _ := phi(lo); f < 0 && lo > -most; f, _ = phi(lo) {
		lo = max(2*lo, -most)
	}
	for f, _ := phi(hi); f > 0 && hi < most; f, _ = phi(hi) {
		hi = min(2*hi, most)
	}
	s, _ := at(bracketed(lo, hi, 0, phi))
	e.t = e.shift(s, s/e.k)
	return s
}

// unlessRounding is v, or 0 where v is what remains of a sum whose terms have this magnitude.
func unlessRounding(v, magnitude float64) float64 {
	if math.Abs(v) <= 0x1p-51*magnitude {
		return 0
	}
	return v
}

// writeEntropy sets dst to min(X(a - t), u).
func writeEntropy[T vec.Float](e *entropy, dst, a []T, u, lambda float64) Thresholds {
	th := Thresholds{T: e.t, U: u, Lambda: lambda}
	for i, v := range a {
		x := e.value(float64(v) - e.t)
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

// bracketed returns the root in [lo, hi] of a falling function, given with its slope: Newton's method, halving where that
// leaves the interval, and each eighth time, so that it ends.
func bracketed(lo, hi, start float64, f func(float64) (value, slope float64)) float64 {
	t := start
	for step := range 500 {
		v, slope := f(t)
		if v > 0 {
			lo = t
		} else {
			hi = t
		}
		if v == 0 || !(lo < hi) {
			return t
		}
		next := t - v/slope
		if !(lo < next && next < hi) || step%8 == 7 {
			next = lo + (hi-lo)/2
		}
		if math.Abs(next-t) <= 0x1p-53*math.Abs(t) || next == lo || next == hi {
			return next
		}
		t = next
	}
	return t
}
