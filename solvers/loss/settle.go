package loss

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// A projection is exact before its elements are rounded to T. Rounded, they would leave the set by some 1e-7 r in
// float32, and a gap could turn negative, since a certificate adds them up in float64. So projections are given a
// radius that is smaller by the rounding of T (inner), and settle lowers the elements at the cap by as much as it
// takes.

// inner returns a radius of which a vector rounded to T has a sum of at most r.
func inner[T vec.Float](r float64) T { return roundDown[T](r * (1 - unit[T]())) }

// unit is twice the largest relative error of rounding to T.
func unit[T vec.Float]() float64 {
	if unchecked.Is32[T]() {
		return 0x1p-23
	}
	return 0x1p-52
}

// settle moves x, a projection of inner radius and cap u rounded to T, into its set: <1,x> <= r and x_j <= <1,x>/k
// (cone) or r/k, for sums in float64. Violations within the rounding of those sums stay.
//
// With n < k elements at the cap of the cone the violation falls to n/k of itself or less in each pass. It ends at the
// latest at the distance between numbers of T; as a rule one pass or two do.
func settle[T vec.Float](x []T, k int, r, u float64, cone bool) {
	slack := 1 + 0x1p-51*float64(len(x))
	limit := r / float64(k)
	if !cone {
		u = min(u, limit)
	}
	for {
		most := roundDown[T](u)
		sum := unchecked.LowerBlock(x, most)
		if sum > r*slack { // numbers of a very hostile input
			shrink := r / sum
			for j, v := range x {
				x[j] = roundDown[T](float64(v) * shrink)
			}
			continue
		}
		if cone {
			limit = sum / float64(k)
		}
		if !(float64(most) > limit*slack) {
			return
		}
		u = limit
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
