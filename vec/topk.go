package vec

import (
	"math"
	"unsafe"
)

// The first block of TopK and the longest one, unless k demands more.
const (
	topFirst = 128
	topBlock = 1 << 14
)

// TopK sets values to the k = len(values) greatest elements of x, in the order of [SortDescending], and idx to their
// positions in x. Of elements with the same bits those with lower positions come first. NaN comes last. x is only read.
//
// It passes over x once and drops what is below the k-th greatest element so far; where k is small and the order is
// random this takes little longer than reading x. No input takes more than O(n log n). Room of 32 bytes for each of
// about max(16384 + 2k, 10k) elements is kept for later calls. It panics when the lengths of values and idx differ,
// when k exceeds len(x), and when x has more elements than an int32 counts.
func TopK[T Float](values []T, idx []int32, x []T) {
	k, n := len(values), len(x)
	match("TopK", k, len(idx))
	if k > n {
		panic(unfit("TopK", "the first %d of %d elements", k, n))
	}
	fitInt32("TopK", n)
	if k == 0 {
		return
	}
	longest := min(max(topBlock, 8*k), n)
	m := full(k) + longest
	room := borrow(4 * m)
	w := room.words
	t := topK[T]{
		k:     k,
		val:   cast[T](w, m),
		idx:   cast[int32](w[m:], m),
		order: cast[int32](w[m+m/2:], m),
		rest:  w[2*m : 4*m],
		least: T(math.NaN()),
	}
	at := t.guess(x[:longest])
	// Each block is longer than those before it together, and some 2k of its elements pass.
	for block := min(max(topFirst, 2*(k+at)), longest); at < n; at, block = at+block, min(2*(at+block), longest) {
		block = min(block, n-at)
		t.scan(x[at:at+block], int32(at))
		if t.n > full(k) || t.least != t.least && t.n > k {
			t.prune()
		}
	}
	t.sort()
	copy(values, t.val[:k])
	copy(idx, t.idx[:k])
	room.giveBack()
}

// cast returns the first n elements of memory.
func cast[E any](words []int64, n int) []E {
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(words))), n)
}
