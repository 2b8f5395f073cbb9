package vec

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/sort"
)

// ArgSort sets idx to the positions of the elements of x in the order of [Sort]: x[idx[0]] is the least. Elements with
// the same bits come in the order of their positions, as with a stable sort. x is only read.
//
// It takes O(n log n), and 8n bytes of room that is kept for later calls. It panics when the lengths differ, and when
// there are more elements than an int32 counts.
func ArgSort[T Float](idx []int32, x []T) { argSort("ArgSort", idx, x, 0) }

// ArgSortDescending is ArgSort in the order of [SortDescending].
func ArgSortDescending[T Float](idx []int32, x []T) {
	argSort("ArgSortDescending", idx, x, sort.Descending)
}

func argSort[T Float](function string, idx []int32, x []T, f sort.Form) {
	n := len(x)
	match(function, len(idx), n)
	fitInt32(function, n)
	room := borrow(n)
	p := unsafe.SliceData(room.words)
	if isF32[T]() {
		sort.Arg32(unsafe.SliceData(idx), int32s(x), n, p, f)
	} else {
		sort.Arg64(unsafe.SliceData(idx), int64s(x), n, p, f)
	}
	room.giveBack()
}

// SortPairs sorts keys as [Sort] does and moves the elements of payload along: those that stood in the same place still
// do. Keys with the same bits come in the order of their payloads.
//
// It takes O(n log n), and 8n bytes of room (16n for float64) that is kept for later calls. It panics when the lengths
// differ, and when there are more elements than an int32 counts.
func SortPairs[T Float](keys []T, payload []int32) { sortPairs("SortPairs", keys, payload, 0) }

// SortPairsDescending is SortPairs in the order of [SortDescending]. The payloads of equal keys still ascend.
func SortPairsDescending[T Float](keys []T, payload []int32) {
	sortPairs("SortPairsDescending", keys, payload, sort.Descending)
}

func sortPairs[T Float](function string, keys []T, payload []int32, f sort.Form) {
	n := len(keys)
	match(function, n, len(payload))
	fitInt32(function, n)
	room := borrow(2 * n)
	p := unsafe.SliceData(room.words)
	if isF32[T]() {
		sort.Pairs32(int32s(keys), unsafe.SliceData(payload), n, p, f)
	} else {
		sort.Pairs64(int64s(keys), unsafe.SliceData(payload), n, p, f)
	}
	room.giveBack()
}

// fitInt32 panics when positions in n elements do not fit into an int32.
func fitInt32(function string, n int) {
	if n > math.MaxInt32 {
		panic(unfit(function, "%d elements, whose positions do not fit into an int32; the most is %d", n,
			math.MaxInt32))
	}
}
