package vec

import "github.com/dualgap/dualgap/asm/sort"

// Sort sorts x from the least to the greatest. -0 comes before 0, NaNs come last; every bit of x is kept, and each tier
// gives the same result.
//
// It takes O(n log n) whatever x is, and beyond some 24 to 256 elements room for as many as x has, which is kept for later
// calls until the garbage collector wants it.
func Sort[T Float](x []T) { sortWindow(x, 0, len(x), 0) }

// SortDescending sorts x from the greatest to the least: 0 comes before -0, NaNs come last, the rest is as in [Sort].
func SortDescending[T Float](x []T) { sortWindow(x, 0, len(x), sort.Descending) }

// PartialSort makes the first k elements of x what [Sort] would make them; the others follow in any order. It takes
// O(n + k log k) on most inputs, O(n log n) on all. It panics unless 0 <= k <= len(x).
func PartialSort[T Float](x []T, k int) {
	if k < 0 || k > len(x) {
		panic(unfit("PartialSort", "the first %d of %d elements", k, len(x)))
	}
	sortWindow(x, 0, k, 0)
}

// NthElement makes x[n] what [Sort] would make it, counted from 0; none of the elements before it is greater, none of those
// behind it less, NaN being the greatest. It takes O(len(x)) on most inputs, O(len(x) log len(x)) on all. It panics unless
// 0 <= n < len(x).
func NthElement[T Float](x []T, n int) {
	if n < 0 || n >= len(x) {
		panic(unfit("NthElement", "element %d of %d", n, len(x)))
	}
	sortWindow(x, n, n+1, 0)
}

func sortWindow[T Float](x []T, from, to int, f sort.Form) {
	f |= sort.Load | sort.Store
	switch n := len(x); {
	case isF32[T]() && n <= sort.Limit32():
		sort.I32(int32s(x), nil, n, from, to, f)
	case !isF32[T]() && n <= sort.Limit64():
		sort.I64(int64s(x), nil, n, from, to, f)
	default:
		room := borrow(n)
		if isF32[T]() {
			sort.I32(int32s(x), int32s(room.words), n, from, to, f)
		} else {
			sort.I64(int64s(x), int64s(room.words), n, from, to, f)
		}
		room.giveBack()
	}
}
