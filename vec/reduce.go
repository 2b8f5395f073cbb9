package vec

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/reduce"
)

// SumAbove returns what x has above t, Σ max(x_i - t, 0), and the number of elements above t: value and slope of the piecewise
// linear function whose root projections onto simplices look for. Elements that are NaN, and all of them if t is, count as not
// above. (0, 0) for an empty vector.
func SumAbove[T Float](x []T, t T) (sum T, count int) {
	if isF32[T]() {
		s, count := reduce.SumAboveF32(ptr32(x), len(x), float32(t))
		return T(s), count
	}
	s, count := reduce.SumAboveF64(ptr64(x), len(x), float64(t))
	return T(s), count
}

// FilterAbove copies the elements of x above t to val, in their order, and their positions to idx, and returns their number; NaN
// is not above anything. val and idx must have room for all of x: it uses their elements up to len(x) as scratch. val may be x
// itself; otherwise nothing may overlap. It panics when val or idx is shorter than x, or x longer than an int32 counts.
func FilterAbove[T Float](x []T, t T, val []T, idx []int32) int {
	if len(val) < len(x) || len(idx) < len(x) || len(x) > math.MaxInt32 {
		panic(fmt.Sprintf("vec: FilterAbove: room for %d values and %d indices, vector of %d", len(val), len(idx), len(x)))
	}
	if isF32[T]() {
		return reduce.CompressF32(ptr32(x), len(x), float32(t), ptr32(val), unsafe.SliceData(idx))
	}
	return reduce.CompressF64(ptr64(x), len(x), float64(t), ptr64(val), unsafe.SliceData(idx))
}
