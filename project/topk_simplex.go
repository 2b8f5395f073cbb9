package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// TopKSimplex sets dst to the biased projection of a onto the top-k simplex of radius r,
//
//	argmin 1/2 |a - x|^2 + rho/2 <1,x>^2  over  0 <= x_i <= <1,x>/k,  <1,x> <= r,
//
// and returns its thresholds. With s = <1,x>, U is s/k, and the multiplier of <1,x> <= r is
//
//	Lambda = T + sum_i max(0, a_i - T - U)/k - rho s >= 0,
//
// which is zero where s < r (Lemma 5). If the solution is zero, every element of dst is exactly 0. For k = 1 the cap
// plays no part: then the thresholds are [TopKSimplexBeta]'s, and U = r.
//
// dst and a have the same length d; they may be the same slice and may not overlap otherwise. r = +Inf projects onto
// the top-k cone. An element -Inf stands for its limit. NaN or +Inf in a makes dst and the thresholds NaN, as sums of
// elements that overflow float64 may. TopKSimplex panics unless len(dst) = len(a), 1 <= k <= d, r >= 0 and 0 <= rho <
// Inf.
//
// The time is O(d) for small k, on average over the order of a, and O(d + k log k) otherwise, plus the few steps of
// Newton's method on what pruning leaves: see the package comment.
func TopKSimplex[T vec.Float](dst, a []T, k int, r, rho T, w *Workspace[T]) Thresholds {
	radius, bias, n := float64(r), float64(rho), len(a)
	if w != nil && smallFits[T](len(dst), n, k, radius, bias) {
		p, kind := &w.problem, unchecked.SmallSimplex
		p.R, p.Rho = radius, bias
		if k > 1 { // else x_i <= <1,x> holds for every x >= 0, and x_i <= r with it: the set is the simplex
			kind = unchecked.SmallTopK
			p.setCap(float64(k))
		}
		solved := 0
		if unchecked.Is32[T]() { // callSmall by hand: this path is short
			solved = unchecked.Small32(dst, a, k, kind, &p.SmallProblem)
		} else {
			solved = unchecked.Small64(dst, a, k, kind, &p.SmallProblem)
		}
		if solved != 0 {
			return p.thresholds()
		}
		return topKSimplexLong(dst[:n:n], a[:n:n], k, w) // r and rho wait in w: less to save over the call
	}
	return topKSimplex(dst, a, k, r, rho, w)
}

// topKSimplex is TopKSimplex where the kernel for small problems is not called.
//
//go:noinline
func topKSimplex[T vec.Float](dst, a []T, k int, r, rho T, w *Workspace[T]) Thresholds {
	check("TopKSimplex", dst, a, k, r, rho)
	if w == nil {
		w = newWorkspace[T]()
		if len(a) <= int(unchecked.SmallMost[T]()) {
			return TopKSimplex(dst, a, k, r, rho, w)
		}
	}
	w.problem.R, w.problem.Rho = float64(r), float64(rho)
	return topKSimplexLong(dst, a, k, w)
}

// topKSimplexLong is TopKSimplex where the kernel for small problems has not solved it, with r and rho in w.
//
//go:noinline
func topKSimplexLong[T vec.Float](dst, a []T, k int, w *Workspace[T]) Thresholds {
	r, rho := T(w.problem.R), T(w.problem.Rho)
	if k == 1 {
		return cappedLong(dst, a, 1, float64(r), float64(rho), w)
	}
	kk := float64(k)
	limit, share := float64(r)/kk, kk+float64(rho)*kk*kk
	cand, bound := a, lowBound{limit: limit, most: (kk - 1) / share, kth: 1 / share}
	if w.prunes(len(a), k) {
		// The bound below with the maxima for the k largest, of which they are at most: the k-th enters it with a
		// positive weight.
		cand = w.collect(dst, a, k, bound)
	} else if w.samples(len(a), k) {
		cand = w.collectMany(a, k, bound)
	}
	// Where pruning has left more, the kernel's own would, too.
	if len(cand) <= 3*classes && w.smallThenSpread(dst, a, cand, k, unchecked.SmallTopK, float64(r), float64(rho)) {
		return w.problem.thresholds()
	}
	v, ok := w.largest(cand, k)
	if !ok || math.IsInf(v[0], 1) {
		return undefined(dst)
	}
	sum := exactSum(v)
	if sum <= 0 || r == 0 { // Lemma 4
		clear(dst)
		return zeroThresholds(v, sum, k)
	}
	vertex := sum / share // Lemma 3, case 2: x_i at the k largest

	// From here on all is relative to c, the k-th largest: t means T - c. Where t solves the problem, -low <= t.
	low, c := min(vertex, limit), v[k-1]
	for j := range v {
		v[j] -= c
	}
	v = w.others(v, cand, c, -low)
	if len(v) == k {
		th := w.write(dst, a, cand, c, -low, low)
		if low == limit { // sum_i max(0, a_i - T - U) = sum - k (T + U)
			th.Lambda = max(0, sum/kk-limit-float64(rho)*float64(r))
		}
		return th
	}
	if vertex < limit { // vertex <= U, by the doc: otherwise s = r for certain
		if t, u := cone(v, k, sum, float64(rho), low); u <= limit {
			return w.writeTop(dst, a, cand, c, t, u, v, k, low)
		}
	}
	t := knapsack(v, k, limit)
	th := w.writeTop(dst, a, cand, c, t, limit, v, k, low)
	p := 0.0
	for _, x := range v[:k] {
		p += max(0, x-t-limit)
	}
	th.Lambda = max(0, th.T+p/kk-float64(rho)*float64(r))
	return th
}

// writeTop is write where v, as in cone, tells the counts: fewer than k elements are at the cap as a rule, and vectors
// count the others.
func (w *Workspace[T]) writeTop(dst, a, kept []T, c, t, u float64, v []float64, k int, low float64) Thresholds {
	top := 0
	for top < k && v[top]-t >= u {
		top++
	}
	if len(v) < vectorsFrom || top == k || !(u > 0 && -low <= t && t-t == 0) {
		return w.write(dst, a, kept, c, t, u)
	}
	_, above := vec.SumAbove(v, t)
	w.spread(dst, a, kept, c, t, u)
	return Thresholds{T: c + t, U: u, Counts: Counts{Cap: int32(top), Mid: int32(above - top)}}
}

// zeroThresholds solves t + sum_i max(0, a_i - t)/k = 0, or where r = 0 and the sum of the k largest is positive, takes
// the t that leaves the least multiplier of the sum: v are the k largest.
func zeroThresholds(v []float64, sum float64, k int) Thresholds {
	if sum > 0 {
		return Thresholds{T: v[k-1], Lambda: sum / float64(k)}
	}
	// With the n largest above t: t = -(their sum)/(k-n), the first n for which the next one is not.
	above := 0.0
	for n := range k {
		if t := -above / float64(k-n); v[n] <= t || n == k-1 {
			return Thresholds{T: t}
		}
		above += v[n]
	}
	panic("unreachable")
}

// cone solves the problem without <1,x> <= r (Lemma 3, case 3): v holds the k largest elements, sorted downwards, and
// behind them, in any order, the others above -low, all minus c; sum is the sum of the k largest before c was taken
// off.
//
// For each number n of elements at the cap the equations (7) have one solution (t, u), and the right n is the one with
// v_[n+1] <= t + u <= v_[n]. A solution that violates the left inequality shows n too small, the right one too large.
func cone(v []float64, k int, sum, rho, low float64) (t, u float64) {
	top, lo, hi := v[:k], 0, k-1 // lo <= n <= hi
	t = -low
	for n, round := 0, 0; ; round++ {
		// sum_M (v_i - t) = f u  and  f t + q = b u, with f = k - n and q = k c + sum_U v_i: u is eliminated, all
		// divided by max(1, b).
		f, b := float64(k-n), rho*float64(k)*float64(k)+float64(n)
		q := sum
		for _, x := range top[n:] {
			q -= x
		}
		e, scale := b, 1.0
		if b > 1 {
			e, scale = 1, b
		}
		h := f * f / scale
		var s float64
		var m int
		t, s, m = newton(v[n:], t, e, f*q/scale, h)
		u = (f*s + float64(m)*q) / scale / (e*float64(m) + h)

		guess := n
		for guess < hi && top[guess]-t > u {
			guess++
		}
		for guess > lo && top[guess-1]-t < u {
			guess--
		}
		switch {
		case guess > n:
			lo = n + 1
		case guess < n:
			hi = n - 1
		default:
			return t, u
		}
		if round >= 4 { // guesses are right at once as a rule; halving bounds the rounds by log2 k + 5
			guess = lo + (hi-lo)/2
		}
		n = guess
	}
}

// knapsack solves sum_i min(max(0, v_i - t), u) = k u for t; v is as in cone, with low = u.
//
// To fix more elements at the cap lowers t, hence who is at the cap for a t too large stays there: variable fixing. The
// elements of at least u are fixed first, as t < 0; of the others at most k-1-n are above 0 and none reaches u, so that
// every t on the way is below v_[k] = 0 too.
func knapsack(v []float64, k int, u float64) (t float64) {
	n := 0
	for n < k-1 && v[n] >= u {
		n++
	}
	t = -u
	for {
		t, _, _ = newton(v[n:], t, 1, float64(k-n)*u, 0)
		fixed := n
		for n < k-1 && v[n]-t > u {
			n++
		}
		if n == fixed {
			return t
		}
	}
}

// exactSum returns the sum of v as if computed with twice the precision, so that its sign is right (Knuth's TwoSum).
func exactSum(v []float64) float64 {
	var s, lost float64
	for _, x := range v {
		t := s + x
		y := t - s
		lost += (s - (t - y)) + (x - y)
		s = t
	}
	if s-s != 0 {
		return s
	}
	return s + lost
}
