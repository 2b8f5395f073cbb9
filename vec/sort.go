package vec

import "github.com/dualgap/dualgap/asm/sort"

// Sort sorts x in ascending order. -0 comes before 0, and NaN comes last. Every element keeps its bits, and all tiers
// give the same result.
//
// It takes O(n log n) for any x, and no room beside it.
func Sort[T Float](x []T) { sortAll(x, 0) }

// SortDescending sorts x in descending order: 0 comes before -0, NaN comes last, and all else is as with [Sort].
func SortDescending[T Float](x []T) { sortAll(x, sort.Descending) }

func sortAll[T Float](x []T, order sort.Form) { sortWindow(x, 0, len(x), order) }

// PartialSort puts the k least elements of x, sorted, in its first k places, as [Sort] would; the others follow in any
// order. It takes O(n + k log k) for most x and O(n log n) for any. It panics unless 0 <= k <= len(x).
func PartialSort[T Float](x []T, k int) {
	if k < 0 || k > len(x) {
		panic(unfit("PartialSort", "the first %d of %d elements", k, len(x)))
	}
	sortWindow(x, 0, k, 0)
}

// NthElement puts in x[n], counted from 0, the element that [Sort] would put there. No element before it is greater,
// and none behind it is less, where NaN counts as the greatest. It takes O(len(x)) for most x and O(len(x) log len(x))
// for any. It panics unless 0 <= n < len(x).
func NthElement[T Float](x []T, n int) {
	if n < 0 || n >= len(x) {
		panic(unfit("NthElement", "element %d of %d", n, len(x)))
	}
	sortWindow(x, n, n+1, 0)
}

func sortWindow[T Float](x []T, from, to int, f sort.Form) {
	f |= sort.Load | sort.Store
	if isF32[T]() {
		sort.I32(int32s(x), len(x), from, to, f)
	} else {
		sort.I64(int64s(x), len(x), from, to, f)
	}
}
