package project

import (
	"math"
	"slices"
)

// The optimality conditions, independent of how x was found.

// infeasibility is the largest violation of the constraints of alpha (beta = false) or beta.
func infeasibility(x []float64, k int, r float64, beta bool) float64 {
	s := total(x)
	limit := s / float64(k)
	if beta {
		limit = r / float64(k)
	}
	worst := max(0, s-r)
	for _, v := range x {
		worst = max(worst, -v, v-limit)
	}
	return worst
}

// frankWolfeGap is max over y in the set of <grad, x - y>, grad = x - a + rho <1,x> the gradient of the objective at x:
// a linear function is largest at a vertex, r/k at some k elements (beta: at most k) or zero. The gap is 0 at the
// optimum only, and at least 1/2 |x - x*|^2. r must be finite.
func frankWolfeGap(a, x []float64, k int, r, rho float64, beta bool) float64 {
	s := total(x)
	down := make([]float64, len(a))
	gap := 0.0
	for i := range a {
		down[i] = a[i] - x[i] - rho*s
		gap -= down[i] * x[i]
	}
	slices.Sort(down)
	best := 0.0
	for _, v := range down[len(down)-k:] {
		if !beta || v > 0 {
			best += v
		}
	}
	return gap + max(0, best)*r/float64(k)
}

// multiplierResidual is the largest violation of the conditions that thresholds (t, u) must satisfy to prove x optimal
// (the proofs of Lemmas 3 and 5, and section 5): x = clip(a - t, 0, u), u = s/k or r/k, lambda >= 0, lambda (r - s) =
// 0. It is in units of x: lambda, which contains rho s, is divided by 1 + rho.
func multiplierResidual(a, x []float64, th Thresholds, k int, r, rho float64, beta bool) float64 {
	s, p, worst := total(x), 0.0, 0.0
	for i := range a {
		p += max(0, a[i]-th.T-th.U)
		worst = max(worst, math.Abs(x[i]-min(max(0, a[i]-th.T), th.U)))
	}
	lambda := th.T - rho*s
	if beta {
		worst = max(worst, -th.T)
		if !math.IsInf(r, 1) {
			worst = max(worst, math.Abs(th.U-r/float64(k)))
		}
	} else {
		lambda += p / float64(k)
		worst = max(worst, math.Abs(th.U-s/float64(k)))
	}
	lambda /= 1 + rho
	return max(worst, -lambda, min(math.Abs(lambda), math.Abs(r-s)))
}
