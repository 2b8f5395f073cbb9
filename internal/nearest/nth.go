package nearest

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/sort"
)

// Float is a rank.
type Float interface{ float32 | float64 }

// isF32 is a constant in each instance.
func isF32[T Float]() bool { return unsafe.Sizeof(*new(T)) == 4 }

// Nth returns the n-th greatest element of x, counted from 0. It changes the order of x.
func Nth[T Float](x []T, n int) T {
	const form = sort.Load | sort.Store | sort.Descending
	p := unsafe.Pointer(unsafe.SliceData(x))
	if isF32[T]() {
		sort.I32((*int32)(p), len(x), n, n+1, form)
	} else {
		sort.I64((*int64)(p), len(x), n, n+1, form)
	}
	return x[n]
}

// Below returns the next number below v. Zeros are one number here.
func Below[T Float](v T) T {
	if isF32[T]() {
		return T(math.Nextafter32(float32(v), float32(math.Inf(-1))))
	}
	return T(math.Nextafter(float64(v), math.Inf(-1)))
}
