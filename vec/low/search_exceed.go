package low

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/ints"
)

// exceed writes the places where p[i] - half[i] is above floor to idx, in order, and returns their number. All
// differences are in low..high, and high is an int32. p, half and idx have the same length, or idx a larger one.
func exceed(idx, p, half []int32, floor float64, low, high int64) (n int) {
	if floor >= float64(high) {
		return 0
	}
	least := int64(max(floor, float64(low-1)))
	if low > math.MinInt32 {
		return ints.Exceed(len(p), unsafe.SliceData(p), unsafe.SliceData(half), int32(least), unsafe.SliceData(idx))
	}
	for i, v := range p { // squared distances of more than 87381 columns
		if int64(v)-int64(half[i]) > least {
			idx[n] = int32(i)
			n++
		}
	}
	return n
}

// exceedLine writes the places where p[i] is above slope scales[i] + floor to idx, in order, and returns their number.
// There may be some among them where it is above the line less 2⁻²⁰ times most and the floor. most is at least the
// largest |p[i]| and the largest |slope scales[i]| together.
//
// In float32 p, slope, floor, the product and the sum are rounded by 2⁻²⁴ each.
func exceedLine(idx, p []int32, scales []float32, slope, floor, most float64) int {
	if math.IsInf(floor, -1) {
		slope, floor = 0, -math.MaxFloat32/2
	} else {
		floor -= 0x1p-21 * (most + math.Abs(floor))
	}
	return ints.ExceedLine(len(p), unsafe.SliceData(p), unsafe.SliceData(scales), float32(slope), float32(floor),
		unsafe.SliceData(idx))
}
