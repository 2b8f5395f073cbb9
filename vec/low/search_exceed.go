package low

import (
	"math"
	"unsafe"
)

// exceed writes the places where p[i] - half[i] is above floor to idx, in order, and returns their number. All
// differences are in low..high. p and half have the same length, and their pairs lie in words of 64 bits.
//
// It looks at 8 places at once: with c = 2³¹ - 1 - floor the highest bit of p - half + c is 1 where p - half > floor,
// and no sum leaves its 32 bits. A negative p in the lower half of a word carries a 1 into the upper half: that may
// cost a look in vain, but hides nothing.
func exceed(idx, p, half []int32, floor float64, low, high int64) (n int) {
	if floor >= float64(high) {
		return 0
	}
	least, at := int64(max(floor, float64(low-1))), 0
	if high-low < math.MaxInt32 {
		const highest = 1<<63 | 1<<31
		c := uint64(math.MaxInt32 - least)
		c |= c << 32
		x, y := pairs(p), pairs(half)
		for ; len(x) >= 4 && len(y) >= 4; x, y, at = x[4:], y[4:], at+8 {
			if ((x[0]-y[0]+c)|(x[1]-y[1]+c)|(x[2]-y[2]+c)|(x[3]-y[3]+c))&highest != 0 {
				n += each(idx[n:], p[:at+8], half, at, least)
			}
		}
	}
	return n + each(idx[n:], p, half, at, least)
}

// each is exceed one by one, from place at on.
func each(idx, p, half []int32, at int, least int64) (n int) {
	for i := at; i < len(p) && i < len(half); i++ {
		if int64(p[i])-int64(half[i]) > least {
			idx[n] = int32(i)
			n++
		}
	}
	return n
}

// pairs returns the words in which pairs of x lie.
func pairs(x []int32) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/2)
}
