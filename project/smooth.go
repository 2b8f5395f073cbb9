package project

import "github.com/dualgap/dualgap/vec"

// TopKSimplexSmooth sets dst to
//
//	argmin 1/2 |a - x|² + gamma/2 |x|² + rho/2 <1,x>²  over the top-k simplex,
//
// the step of dual coordinate ascent for the smoothed top-k hinge loss (alpha). It is [TopKSimplex] for a/(1+gamma) and
// rho/(1+gamma), and returns the thresholds of that. gamma >= 0 must be finite; all else is as there.
func TopKSimplexSmooth[T vec.Float](dst, a []T, k int, r, rho, gamma T, w *Workspace[T]) Thresholds {
	shrink("TopKSimplexSmooth", dst, a, k, r, rho, gamma)
	return TopKSimplex(dst, dst, k, r, rho/(1+gamma), w)
}

// TopKSimplexBetaSmooth is [TopKSimplexSmooth] over the set of [TopKSimplexBeta].
func TopKSimplexBetaSmooth[T vec.Float](dst, a []T, k int, r, rho, gamma T, w *Workspace[T]) Thresholds {
	shrink("TopKSimplexBetaSmooth", dst, a, k, r, rho, gamma)
	return TopKSimplexBeta(dst, dst, k, r, rho/(1+gamma), w)
}

// shrink checks the arguments and sets dst = a/(1+gamma).
func shrink[T vec.Float](function string, dst, a []T, k int, r, rho, gamma T) {
	check(function, dst, a, k, r, rho)
	checkFactor(function, "gamma", gamma)
	for i, v := range a {
		dst[i] = v / (1 + gamma)
	}
}
