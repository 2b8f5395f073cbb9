package vec

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/asm/sort"
	"github.com/dualgap/dualgap/internal/nearest"
)

// topK holds the candidates for the k greatest elements: n of them, in an order in which of equals the lower position
// comes first. Some more than k may wait, so that it is not put in order for each.
type topK[T Float] struct {
	k, n  int
	val   []T
	idx   []int32
	order []int32
	rest  []int64 // room for sorting

	least T // what a candidate must be above, NaN as long as there are not k numbers
}

// full is the number of candidates beyond which a higher threshold is worth its price.
func full(k int) int { return 2 * k }

// scan appends the elements of a block, at its place in the whole, that may belong to the k greatest.
func (t *topK[T]) scan(block []T, at int32) {
	found := len(block)
	switch {
	case t.least == t.least && cpu.Level < cpu.AVX2:
		// they are rare, so a loop with a branch is quicker than one without
		found = t.search(block, at)
	case t.least == t.least:
		found = FilterAbove(t.val[t.n:], t.idx[t.n:], block, t.least)
		for i := range t.idx[t.n : t.n+found] {
			t.idx[t.n+i] += at
		}
	default:
		copy(t.val[t.n:], block)
		for i := range t.idx[t.n : t.n+found] {
			t.idx[t.n+i] = at + int32(i)
		}
	}
	t.n += found
}

// search is scan element by element.
func (t *topK[T]) search(block []T, at int32) (found int) {
	least, val, idx := t.least, t.val[t.n:], t.idx[t.n:]
	for i, v := range block {
		if v > least {
			val[found], idx[found] = v, at+int32(i)
			found++
		}
	}
	return found
}

// prune drops the candidates below the k-th greatest, from then on the least. Equals of that may stay, unless they are
// too many.
func (t *topK[T]) prune() {
	work := cast[T](t.rest, t.n)
	copy(work, t.val[:t.n])
	least := nearest.Nth(work, t.k-1)
	if least > T(math.Inf(-1)) { // not NaN, which is above nothing
		t.n = FilterAbove(t.val, t.order, t.val[:t.n], nearest.Below(least))
		for i, from := range t.order[:t.n] {
			t.idx[i] = t.idx[from]
		}
	}
	if t.n > full(t.k) {
		t.sort()
	}
	if least == 0 && math.Signbit(float64(least)) {
		least = nearest.Below(least) // 0 beats -0
	}
	t.least = least
}

// sort leaves the k greatest candidates, in order.
func (t *topK[T]) sort() {
	room := unsafe.SliceData(t.rest)
	if isF32[T]() {
		sort.Arg32(unsafe.SliceData(t.order), int32s(t.val), t.n, room, sort.Descending)
	} else {
		sort.Arg64(unsafe.SliceData(t.order), int64s(t.val), t.n, room, sort.Descending)
	}
	val, idx := cast[T](t.rest, t.k), cast[int32](t.rest[len(t.rest)/2:], t.k)
	for i, from := range t.order[:t.k] {
		val[i], idx[i] = t.val[from], t.idx[from]
	}
	copy(t.val, val)
	copy(t.idx, idx)
	t.n = t.k
}
