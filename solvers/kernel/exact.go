package kernel

import (
	"math"
	"math/bits"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// exactProducts reports whether all inner products of examples are exact in float32, in whatever order they are summed
// up: the numbers are multiples of a power of two u, and all |x|² are less than 2^24 u². By Cauchy and Schwarz every
// partial sum of |x_j z_j| is too, and all are multiples of u². So are whole numbers as a rule: counts, bytes, and
// categories as features of 0 and 1. Other examples are told by the first of them, as a rule. O(n d).
func exactProducts(x design.Matrix[float32], norms []float32) bool {
	n, d := x.Dims()
	row, index := vec.NewMatrix[float32](1, d), make([]int, 1)
	lowest, largest := math.MaxInt, 0.0
	for i := range n {
		index[0] = i
		x.Gather(row, index)
		for _, v := range row.Data {
			if v != 0 {
				lowest = min(lowest, lowestBit(v))
			}
		}
		largest = max(largest, float64(norms[i]))
		if largest > 0 && (lowest < -63 || !(largest < math.Ldexp(1, 24+2*lowest))) {
			return false
		}
	}
	return true
}

// lowestBit returns the exponent of the lowest bit of v, which is not 0: v is an odd multiple of 2 to it.
func lowestBit(v float32) int {
	b := math.Float32bits(v)
	exponent, fraction := int(b>>23&0xff), b&(1<<23-1)
	if exponent == 0 {
		exponent = 1
	} else {
		fraction |= 1 << 23
	}
	return exponent - 150 + bits.TrailingZeros32(fraction)
}
