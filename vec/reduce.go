package vec

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/reduce"
)

// Max returns the largest element of x, -Inf for an empty vector. As with Go's max, one NaN makes it NaN. Where 0 and
// -0 are the largest it may return either.
func Max[T Float](x []T) T {
	if isF32[T]() {
		return T(reduce.MaxF32(ptr32(x), len(x)))
	}
	return T(reduce.MaxF64(ptr64(x), len(x)))
}

// Min returns the smallest element of x, +Inf for an empty vector. As with Go's min, one NaN makes it NaN. Where 0 and
// -0 are the smallest it may return either.
func Min[T Float](x []T) T {
	if isF32[T]() {
		return T(reduce.MinF32(ptr32(x), len(x)))
	}
	return T(reduce.MinF64(ptr64(x), len(x)))
}

// ArgMax returns the index of the largest element of x, the first one of equals, where 0 equals -0; for an empty vector
// it returns -1. If x holds a NaN it returns the index of the first one, as [Max] returns NaN: scores that went wrong
// must not look like a decision.
func ArgMax[T Float](x []T) int {
	switch {
	case len(x) > math.MaxInt32:
		return argLong(x, math.MaxInt32, true)
	case isF32[T]():
		return reduce.ArgMaxF32(ptr32(x), len(x))
	}
	return reduce.ArgMaxF64(ptr64(x), len(x))
}

// ArgMin returns the index of the smallest element of x, by the rules of [ArgMax].
func ArgMin[T Float](x []T) int {
	switch {
	case len(x) > math.MaxInt32:
		return argLong(x, math.MaxInt32, false)
	case isF32[T]():
		return reduce.ArgMinF32(ptr32(x), len(x))
	}
	return reduce.ArgMinF64(ptr64(x), len(x))
}

// argLong asks ArgMax, or ArgMin, for each part of as many elements as the kernels count, and keeps the best.
func argLong[T Float](x []T, part int, largest bool) (best int) {
	for from := 0; from < len(x) && x[best] == x[best]; from += min(part, len(x)-from) {
		p := x[from:][:min(part, len(x)-from)]
		if largest {
			if i := ArgMax(p); !(p[i] <= x[best]) {
				best = from + i
			}
		} else if i := ArgMin(p); !(p[i] >= x[best]) {
			best = from + i
		}
	}
	return best
}

// Clip sets dst_i = min(max(x_i, lo), hi). NaN stays NaN, and -0 is not less than 0. dst may be x; otherwise they must
// not overlap. It panics when the lengths differ, and unless lo <= hi.
func Clip[T Float](dst, x []T, lo, hi T) {
	match("Clip", len(dst), len(x))
	if !(lo <= hi) {
		refuseBounds(lo, hi)
	}
	if isF32[T]() {
		reduce.ClipF32(ptr32(dst), ptr32(x), len(x), float32(lo), float32(hi))
	} else {
		reduce.ClipF64(ptr64(dst), ptr64(x), len(x), float64(lo), float64(hi))
	}
}

// refuseBounds panics. It is apart from Clip, which would pay for its frame.
//
//go:noinline
func refuseBounds[T Float](lo, hi T) { panic(unfit("Clip", "bounds from %v to %v", lo, hi)) }

// SumAbove returns Σ max(x_i - t, 0), the amount by which x exceeds t, and the number of elements above t. As a
// function of t these are the value and the negative slope of a piecewise linear function, whose root projections onto
// simplices look for. NaN is not above anything, and nothing is above a t that is NaN. An empty vector gives (0, 0).
func SumAbove[T Float](x []T, t T) (sum T, count int) {
	if isF32[T]() {
		s, count := reduce.SumAboveF32(ptr32(x), len(x), float32(t))
		return T(s), count
	}
	s, count := reduce.SumAboveF64(ptr64(x), len(x), float64(t))
	return T(s), count
}

// FilterAbove copies the elements of x that are above t to val and their positions to idx, both in the order of x, and
// returns their number. NaN is not above anything. val and idx must be at least as long as x: all of their first len(x)
// elements may be overwritten. val may be x itself; otherwise nothing may overlap. It panics when val or idx is shorter
// than x, and when x has more elements than an int32 counts.
func FilterAbove[T Float](val []T, idx []int32, x []T, t T) int {
	if len(val) < len(x) || len(idx) < len(x) || len(x) > math.MaxInt32 {
		panic(unfit("FilterAbove", "room for %d values and %d indices, vector of %d", len(val), len(idx), len(x)))
	}
	if isF32[T]() {
		return reduce.CompressF32(ptr32(x), len(x), float32(t), ptr32(val), unsafe.SliceData(idx))
	}
	return reduce.CompressF64(ptr64(x), len(x), float64(t), ptr64(val), unsafe.SliceData(idx))
}
