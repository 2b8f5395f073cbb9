package kernel

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// Rounding returns how far a number K_ij may be off, relative to sqrt(K_ii K_jj), at worst and as a rule, where
// roundings are independent of each other. With u the roundoff of T a sum of d products is off by (d+3) u of their
// sizes, which are at most |x| |z|; a power of it by Degree+1 times as much; and e^-t, where t is off by a part of it,
// by up to max (1+8t) e^-t < 4 times as much: t = Gamma |x - z|² is computed from |x|² + |z|² - 2<x, z> only where that
// cancels four bits at most, which is 8 times the rounding of the sum. Of roundings that are independent the sum has
// the root of d in place of d. A matrix that is given is what it is: it is off by nothing as a rule, and at worst, from
// one that is positive semi-definite, by what it may be off from a symmetric one.
func (m *Matrix[T]) Rounding() (worst, typical float64) { return m.from().rounding() }

func roundingOf[T vec.Float](k Kernel, d int) (worst, typical float64) {
	u := unit
	if unsafe.Sizeof(T(0)) == 4 {
		u = 0x1p-24
	}
	size, terms := slope(k), float64(d+3)
	return 8 * size * terms * u, size * math.Sqrt(terms) * u
}

// slope is what the rounding of <x, z> is multiplied by in the value of a kernel.
func slope(k Kernel) float64 {
	switch k := k.(type) {
	case Polynomial:
		return float64(k.Degree) + 1
	case Gaussian:
		return 4
	case Sum: // of its terms, by Cauchy and Schwarz
		largest := 1.0
		for _, t := range k {
			largest = max(largest, slope(t.Kernel))
		}
		return largest
	}
	return 1
}
