package project

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// ResidualPermutahedron is the residual of [Permutahedron]. With a sorted downwards, and y = a - rho <1,x> - x, or
// Lambda where that is more and x is 0, it is the largest violation of: x and y fall and do not fall below 0; no sum of
// the j largest x exceeds its bound; y_j = y_j+1 or the j-th bound is met, with y_d+1 = 0; and y_d = Lambda. The
// y are in units of x, divided by 1 + rho. It sorts: O(d log d), and it allocates.
func ResidualPermutahedron[T vec.Float](a, x []T, beta []float64, r, rho T, th Thresholds) float64 {
	checkSolution("ResidualPermutahedron", a, x)
	order := make([]int32, len(a))
	vec.ArgSortDescending(order, a)
	shift, scale := float64(rho)*total(x), 1+float64(rho)
	worst, before, level, slack := 0.0, math.Inf(1), math.Inf(1), 0.0
	var sum, bound compensated
	for j, i := range order {
		xi := float64(x[i])
		y := float64(a[i]) - shift - xi
		if xi == 0 {
			y = max(y, th.Lambda)
		}
		y /= scale
		worst = max(worst, -xi, xi-before, y-level, min(math.Abs(level-y), slack))
		sum.add(xi)
		if j < len(beta) {
			bound.add(float64(r) * beta[j])
		}
		worst = max(worst, sum.sum-bound.sum)
		before, level, slack = xi, y, math.Abs(bound.sum-sum.sum)
	}
	return max(worst, -level, math.Abs(level-th.Lambda/scale), min(math.Abs(level), slack))
}
