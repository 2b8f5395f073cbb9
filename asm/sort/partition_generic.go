package sort

import "unsafe"

// partitionGeneric writes each key to both places, so that nothing depends on a branch.
func partitionGeneric[K key](low, high, src *K, n int, pivot K) int {
	l, h, s := unsafe.Slice(low, n), unsafe.Slice(high, n), unsafe.Slice(src, n)
	nLow := 0
	for i, k := range s {
		l[nLow], h[i-nLow] = k, k
		above := 0
		if k > pivot {
			above = 1
		}
		nLow += 1 - above
	}
	return nLow
}

func partitionI32Generic(low, high, src *int32, n int, pivot int32) int {
	return partitionGeneric(low, high, src, n, pivot)
}

func partitionI64Generic(low, high, src *int64, n int, pivot int64) int {
	return partitionGeneric(low, high, src, n, pivot)
}
