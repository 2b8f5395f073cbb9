package sort

import "unsafe"

// partitionGeneric exchanges each key with the first above the pivot, so that nothing depends on a branch.
func partitionGeneric[K key](x *K, n int, pivot K) int {
	s := unsafe.Slice(x, n)
	low := 0
	for i, k := range s {
		s[i], s[low] = s[low], k
		above := 0
		if k > pivot {
			above = 1
		}
		low += 1 - above
	}
	return low
}

func partitionI32Generic(x *int32, n int, pivot int32) int { return partitionGeneric(x, n, pivot) }
func partitionI64Generic(x *int64, n int, pivot int64) int { return partitionGeneric(x, n, pivot) }
