package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/math"
)

// OmegaSum sets dst to Wright's omega function of (x - shift) scale, the w > 0 with w + log w = z, and returns the sum
// of its values and the sum of its derivatives w/(1+w), which are taken for 1 where w is +Inf or NaN. The relative
// error of w for the rounded argument is at most 4 * 2^-53. dst has the length of x and may be x.
func OmegaSum(dst, x []float64, shift, scale float64) (sum, slope float64) {
	var sums [2]float64
	math.OmegaSumF64(shift, scale, unsafe.SliceData(x), unsafe.SliceData(dst), &sums[0], len(x))
	return sums[0], sums[1]
}

// ExpSum sets dst to the exponentials of x - shift and returns their sum. dst has the length of x and may be x.
func ExpSum(dst, x []float64, shift float64) float64 {
	return math.ExpSumF64(shift, unsafe.SliceData(x), unsafe.SliceData(dst), len(x))
}
