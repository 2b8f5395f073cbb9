package sort

import "unsafe"

// pivotGeneric is the median of three, and where it pays of three medians of three.
func pivotGeneric[K key](src *K, n int) K {
	s := unsafe.Slice(src, n)
	if n < 100 {
		return median(s[n/4], s[n/2], s[n/4*3])
	}
	step := n / 10
	return median(
		median(s[step], s[2*step], s[3*step]),
		median(s[4*step], s[5*step], s[6*step]),
		median(s[7*step], s[8*step], s[9*step]))
}

func median[K key](a, b, c K) K { return max(min(a, b), min(max(a, b), c)) }

func pivotI32Generic(src *int32, n int) int32 { return pivotGeneric(src, n) }
func pivotI64Generic(src *int64, n int) int64 { return pivotGeneric(src, n) }
