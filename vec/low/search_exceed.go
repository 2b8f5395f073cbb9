package low

import (
	"math"
	"unsafe"
)

// exceed writes the places where p[i] - half[i] is above floor to idx, in order, and returns their number. All
// differences are in low..high. p and half have the same length, and their pairs lie in words of 64 bits.
//
// It looks at 16 places at once: with c = 2³¹ - 1 - floor the highest bit of p - half + c is 1 where p - half > floor,
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
		y = y[:len(x)]
		for i := 0; i+8 <= len(x); i += 8 {
			a, b := (*[8]uint64)(x[i:]), (*[8]uint64)(y[i:])
			sums := (a[0] - b[0] + c) | (a[1] - b[1] + c) | (a[2] - b[2] + c) | (a[3] - b[3] + c) |
				(a[4] - b[4] + c) | (a[5] - b[5] + c) | (a[6] - b[6] + c) | (a[7] - b[7] + c)
			at = 2*i + 16
			if sums&highest != 0 {
				n += each(idx[n:], p[:at], half, 2*i, least)
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
