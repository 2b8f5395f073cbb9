package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// TopKSimplexBeta sets dst to the biased projection of a onto the simplex of radius r with its elements capped at r/k,
//
//	argmin 1/2 |a - x|^2 + rho/2 <1,x>^2  over  0 <= x_i <= r/k,  <1,x> <= r,
//
// and returns its thresholds: U = r/k, T >= 0, and Lambda = T - rho <1,x> >= 0, the multiplier of <1,x> <= r. If the
// solution is zero, every element of dst is exactly 0.
//
// Aliasing, infinite and NaN elements, panics and time are as with [TopKSimplex]. r = +Inf leaves x >= 0 as the only
// constraint.
func TopKSimplexBeta[T vec.Float](dst, a []T, k int, r, rho T, w *Workspace[T]) Thresholds {
	radius, bias, n := float64(r), float64(rho), len(a)
	if w != nil && smallFits[T](len(dst), n, k, radius, bias) {
		p, kind := &w.problem, unchecked.SmallSimplex
		p.R, p.Rho = radius, bias
		if k > 1 {
			kind = unchecked.SmallCapped
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
		return topKSimplexBetaLong(dst[:n:n], a[:n:n], k, w) // r and rho wait in w: less to save over the call
	}
	return topKSimplexBeta(dst, a, k, r, rho, w)
}

// topKSimplexBeta is TopKSimplexBeta where the kernel for small problems is not called.
//
//go:noinline
func topKSimplexBeta[T vec.Float](dst, a []T, k int, r, rho T, w *Workspace[T]) Thresholds {
	check("TopKSimplexBeta", dst, a, k, r, rho)
	if w == nil {
		w = newWorkspace[T]()
		if len(a) <= int(unchecked.SmallMost[T]()) {
			return TopKSimplexBeta(dst, a, k, r, rho, w)
		}
	}
	w.problem.R, w.problem.Rho = float64(r), float64(rho)
	return topKSimplexBetaLong(dst, a, k, w)
}

// topKSimplexBetaLong is TopKSimplexBeta where the kernel for small problems has not solved it, with r and rho in w.
//
//go:noinline
func topKSimplexBetaLong[T vec.Float](dst, a []T, k int, w *Workspace[T]) Thresholds {
	return cappedLong(dst, a, k, w.problem.R, w.problem.Rho, w)
}

// capped is TopKSimplexBeta without its checks.
func capped[T vec.Float](dst, a []T, k int, r, rho float64, w *Workspace[T]) Thresholds {
	if w == nil {
		w = newWorkspace[T]()
	}
	if w.small(dst, a, k, cappedKind(k), r, rho) {
		return w.problem.thresholds()
	}
	return cappedLong(dst, a, k, r, rho, w)
}

func cappedLong[T vec.Float](dst, a []T, k int, r, rho float64, w *Workspace[T]) Thresholds {
	kind, cand := cappedKind(k), a
	p := cappedProblem{k: k, r: r, rho: rho, u: r / float64(k)}
	if w.prunes(len(a), k) {
		// A part of the elements needs no higher threshold than all of them. The k largest are to stay, too.
		if len(a) <= cheapTo {
			// T >= a_[k] - u: at most k elements are at the cap. T >= 0, and >= the T of the largest alone.
			b := lowBound{limit: p.u, kth: 1}
			if k == 1 {
				b.kth = 1 / (1 + rho)
			}
			cand = w.collect(dst, a, k, b)
		}
		if len(cand) > classes {
			m, bound := w.classMaxima(cand), 0.0
			if th := &w.problem; w.small(w.sink[:], m, k, kind, r, rho) && int(th.Cap+th.Mid) >= k {
				p.c = th.T
				bound = th.T // k of the maxima are above it
			} else {
				t, least, _ := threshold(&p, w.scratch(classes), m)
				bound = min(p.c+t, least)
			}
			cand = w.above(dst, a, cand, bound-0x1p-48*(p.c+p.u))
		}
	}
	if k > classes && w.samples(len(a), k) {
		cand = w.collectMany(a, k, lowBound{limit: p.u, kth: 1})
	}
	if p.u >= coarse && w.smallThenSpread(dst, a, cand, k, kind, r, rho) {
		return w.problem.thresholds()
	}
	t, least, most := threshold(&p, w.scratch(len(cand)), cand)
	if least != least || math.IsInf(most, 1) {
		return undefined(dst)
	}
	if most <= 0 || r == 0 {
		clear(dst)
		t = max(0, most)
		return Thresholds{T: t, U: p.u, Lambda: t}
	}
	th := w.write(dst, a, cand, p.c, t, p.u)
	if !math.IsInf(r, 1) {
		th.Lambda = max(0, th.T-rho*r)
	}
	return th
}

// cheapTo is the dimension up to which a bound that is quickly found prunes enough.
const cheapTo = 512

// coarse is a cap below which float32, in which the kernel guesses who is at the cap, loses precision to denormal
// numbers. Where nothing was dropped a wrong guess shows; where all that is left is at the cap it may not.
const coarse = 0x1p-100

// cappedProblem is f(t) = min((t + c)/rho, r) with f(t) = sum_i min(max(0, v_i - t), u), for t >= -c: section 5.
type cappedProblem struct {
	k            int
	c, r, rho, u float64
}

// threshold sets c = max(0, a_[k]) and solves the problem for v = a - c. It returns t with a_[k] and the largest
// element; a_[k] is NaN when an element is, and what is not finite leaves t without meaning.
func threshold[T vec.Float](p *cappedProblem, v []float64, a []T) (t, least, most float64) {
	v, ok := largest(v, a, p.k)
	if !ok {
		return 0, math.NaN(), math.NaN()
	}
	most, least = v[0], v[p.k-1]
	if most <= 0 || math.IsInf(most, 1) {
		p.c = 0
		return 0, least, most
	}
	// From here on all is relative to c: t means T - c. The k largest alone give a t that is too small or right.
	c := max(0, least)
	p.c = c
	for j := range v {
		v[j] -= c
	}
	if p.k == 1 {
		t = max(-c/(1+p.rho), -p.r)
	} else {
		t = p.solve(v, -c)
	}
	if c > 0 && t < 0 {
		if v = appendAbove(v, a, c, t); len(v) > p.k {
			t = p.solve(v, t)
		}
	}
	return t, least, most
}

// solve starts at t, not above the solution. The k largest elements of v come first, sorted downwards.
//
// As in knapsack, elements at the cap for a t too large stay there.
func (p *cappedProblem) solve(v []float64, t float64) float64 {
	n, sure := 0, max(0, p.rho*p.r-p.c)+p.u // t < sure - u, as T is at most rho r or else below the k-th largest
	for n < p.k-1 && v[n] >= sure {
		n++
	}
	for {
		t = p.newton(v[n:], t, n)
		fixed := n
		for n < p.k-1 && v[n]-t > p.u {
			n++
		}
		if n == fixed {
			return t
		}
	}
}

// newton solves the problem with n elements at the cap and without a cap on the elements of v: of the two equations
// f(t) = (t + c)/rho, see (10), and f(t) = r the larger root. The step is the larger one of their two Newton steps, and
// what newton, the function, says of its steps holds here too.
func (p *cappedProblem) newton(v []float64, t float64, n int) float64 {
	e, h := p.rho, 1.0 // e f(t) = h (t + c)
	if e > 1 {
		e, h = 1, 1/e
	}
	var fixed float64
	if n > 0 {
		fixed = float64(n) * p.u
	}
	free := float64(p.k-n) * p.u // r - fixed
	for step, last := 0, -1; ; step++ {
		s, m := sumAbove(v, t)
		if m == last && len(v) < vectorsFrom {
			return t
		}
		next := (e*(s+fixed) - h*p.c) / (e*float64(m) + h)
		if m > 0 {
			if full := (s - free) / float64(m); full > next {
				next = full
			}
		}
		if step > 0 && (m == last || next <= t) {
			if len(v) >= vectorsFrom {
				t = next // from a sum at the root
			}
			return t
		}
		t, last = next, m
	}
}
