package loss

import "github.com/dualgap/dualgap/vec"

// settle moves x, a projection rounded to T, down into its set: <1,x> <= r and x_j <= <1,x>/k (cone) or r/k. Its sums are
// those of float64, so that a dual objective computed in float64 from float32 duals is a true lower bound: rounding alone
// would leave the set by 1e-7 r, and a gap could turn negative. Violations within the rounding of the sums stay.
//
// Each pass lowers elements to the bound; with n < k of them at the cap of the cone the violation falls by n/k or more, and
// the steps between numbers of T end it.
func settle[T vec.Float](x []T, k int, r float64, cone bool) {
	slack := 1 + 0x1p-51*float64(len(x))
	for {
		sum, most := 0.0, T(0)
		for _, v := range x {
			sum += float64(v)
			most = max(most, v)
		}
		if sum > r*slack {
			shrink := r / sum
			for j, v := range x {
				x[j] = roundDown[T](float64(v) * shrink)
			}
			continue
		}
		limit := r / float64(k)
		if cone {
			limit = sum / float64(k)
		}
		if !(float64(most) > limit*slack) {
			return
		}
		bound := roundDown[T](limit)
		for j := range x {
			x[j] = min(x[j], bound)
		}
	}
}

// roundDown returns the largest number of T that does not exceed v >= 0, or its neighbour below.
func roundDown[T vec.Float](v float64) T {
	t := T(v)
	if float64(t) > v {
		t = T(v * (1 - 0x1p-23))
	}
	if float64(t) > v { // v is below the normal numbers of T
		return 0
	}
	return t
}
