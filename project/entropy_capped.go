package project

import "math"

// capped solves the problem for k > 1 where the cap binds. In y = log(s/(r-s)), which is free, the derivative of the
// objective in s is
//
//	phi = t - rho s + gamma log(r-s) + p/k,  p = sum_i max(0, a_i - t - u - gamma log u),  u = s/k,
//
// and falls, the objective being convex; t(s) solves sum_i min(X(a_i - t), u) = s. It starts from the s of the problem
// without the cap.
func (e *entropy) capped(s float64) float64 {
	at := func(y float64) (s, rest float64) { return e.r / (1 + math.Exp(-y)), e.r / (1 + math.Exp(y)) }
	phi := func(y float64) (f, slope float64) {
		s, rest := at(y)
		u := s / e.k
		top := e.inverse(u)
		down, n := e.shiftCapped(s, u, top)
		p := 0.0
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
	const most = 700 // beyond, exp leaves the normal numbers: x, or r - s, is nothing
	start := min(max(math.Log(s/(e.r-s)), -most), most)
	s, _ = at(bracketed(-most, most, start, phi))
	e.shiftCapped(s, s/e.k, e.inverse(s/e.k))
	return s
}

// shiftCapped sets t to where sum_i min(X(a_i - t), u) = s, u = s/k, for elements that are sorted downwards, and
// returns minus the slope of the sum there, or very near, and the number of elements at u, with X(b) = u at b = top.
func (e *entropy) shiftCapped(s, u, top float64) (down float64, n int) {
	hi := e.a[0] - e.inverse(s/float64(len(e.a))) // no element exceeds s/d
	lo := e.a[int(e.k)-1] - top                   // k elements reach u
	start := lo
	if lo < e.t && e.t < hi {
		start = e.t // of a problem close by
	}
	t := bracketed(lo, hi, start, func(t float64) (f, slope float64) {
		var sum float64
		n = e.capAt(t, top)
		sum, down = e.sumsFrom(n, t)
		return unlessRounding(sum+float64(n)*u-s, s), -down
	})
	e.t = t
	return down, n
}

// capAt counts the elements with a - t >= top.
func (e *entropy) capAt(t, top float64) (n int) {
	for n < len(e.a) && e.a[n]-t >= top {
		n++
	}
	return n
}

// bracketed returns the root in [lo, hi] of a falling function, given with its slope: Newton's method, halving where
// that leaves the interval, and each eighth time. So 8 n steps shrink the interval by 2^n. As it ends once a step is no
// more than a rounding of t, at most 8 (1 + log2((hi - lo) / (2^-53 |t|))) steps lead to the root t. Next to 0, where
// that is no bound, 500 steps are enough to shrink any interval by 2^62.
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
