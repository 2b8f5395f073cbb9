package vec

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/sort"
)

// topK holds the candidates for the k greatest elements: n of them, in an order in which of equals the lower position comes
// first.
type topK[T Float] struct {
	k, n  int
	val   []T
	idx   []int32
	order []int32
	rest  []int64 // room for sorting

	sorted bool // n = k candidates stand in their final order, so that val[k-1] must be beaten
}

// scan appends the elements of a block, at its place in the whole, that may belong to the k greatest.
func (t *topK[T]) scan(block []T, at int32) {
	found := len(block)
	if least := t.least(); t.sorted && least == least {
		found = FilterAbove(block, least, t.val[t.n:], t.idx[t.n:])
		for i := range t.idx[t.n : t.n+found] {
			t.idx[t.n+i] += at
		}
	} else { // fewer than k numbers so far
		copy(t.val[t.n:], block)
		for i := range t.idx[t.n : t.n+found] {
			t.idx[t.n+i] = at + int32(i)
		}
	}
	t.n += found
	t.sorted = t.sorted && found == 0
}

// least is what an element must be above to beat the last candidate, whose equals come too late.
func (t *topK[T]) least() T {
	v := t.val[t.k-1]
	if v == 0 && math.Signbit(float64(v)) {
		return below(v) // 0 beats -0
	}
	return v
}

// below returns the next number below v. Zeros are one number here.
func below[T Float](v T) T {
	if isF32[T]() {
		return T(math.Nextafter32(float32(v), float32(math.Inf(-1))))
	}
	return T(math.Nextafter(float64(v), math.Inf(-1)))
}

// prune leaves the k greatest candidates, in order.
func (t *topK[T]) prune() {
	if t.n > 2*t.k+64 {
		t.drop()
	}
	t.sort()
	t.n, t.sorted = t.k, true
}

// drop leaves the candidates that are not below the k-th greatest, which a selection finds faster than a sort.
func (t *topK[T]) drop() {
	work, room := cast[T](t.rest, t.n), cast[T](t.rest[len(t.rest)/2:], t.n)
	copy(work, t.val[:t.n])
	const form = sort.Load | sort.Store | sort.Descending
	if isF32[T]() {
		sort.I32(int32s(work), int32s(room), t.n, t.k-1, t.k, form)
	} else {
		sort.I64(int64s(work), int64s(room), t.n, t.k-1, t.k, form)
	}
	least := work[t.k-1]
	if least != least || math.IsInf(float64(least), -1) {
		return // what follows are NaNs
	}
	t.n = FilterAbove(t.val[:t.n], below(least), t.val, t.order)
	for i, from := range t.order[:t.n] {
		t.idx[i] = t.idx[from]
	}
}

// sort sorts the candidates.
func (t *topK[T]) sort() {
	if t.sorted {
		return
	}
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
}
