package sort

import "unsafe"

// Arg32 writes to idx the positions of x[:n] in the order of its elements, equal ones in the order of their positions.
// room has n elements. n is less than 2³¹.
//
// Key and position, together 64 bits, are sorted as one integer.
func Arg32(idx, x *int32, n int, room *int64, f Form) {
	PackI32(room, x, n, int(f))
	sortKeys(room, n, 0, n, 0)
	UnpackI64(idx, room, n)
}

// Arg64 is Arg32 for float64.
//
// The upper half of the key takes part first. Where some elements have it in common, which is rare but where there are
// many elements, few values or a narrow range of them, their lower halves decide.
func Arg64(idx *int32, x *int64, n int, room *int64, f Form) {
	PackI64(room, x, n, int(f))
	sortKeys(room, n, 0, n, 0)
	if UnpackI64(idx, room, n) == 0 {
		return
	}
	packed, order, keys := unsafe.Slice(room, n), unsafe.Slice(idx, n), unsafe.Slice(x, n)
	for from := 0; from < n; {
		to := from + 1
		for to < n && packed[to]>>32 == packed[from]>>32 {
			to++
		}
		if to-from > 1 {
			sortRun(order[from:to], keys, packed[from:to], f)
		}
		from = to
	}
}

// longRun is where sorting by insertion ends.
const longRun = 12

// sortRun sorts positions whose keys have the same upper half.
func sortRun(order []int32, x, packed []int64, f Form) {
	if len(order) > longRun {
		for i, at := range order {
			packed[i] = join(int32(toKey(x[at], f))^sign32, at)
		}
		sortKeys(unsafe.SliceData(packed), len(packed), 0, len(packed), 0)
		UnpackI64(unsafe.SliceData(order), unsafe.SliceData(packed), len(order))
		return
	}
	for i := 1; i < len(order); i++ { // the positions ascend as they come
		at := order[i]
		k := toKey(x[at], f)
		j := i
		for ; j > 0 && toKey(x[order[j-1]], f) > k; j-- {
			order[j] = order[j-1]
		}
		order[j] = at
	}
}

// Pairs32 sorts x[:n] and payload[:n] along with it, equal elements by their payloads. room has n elements.
func Pairs32(x, payload *int32, n int, room *int64, f Form) {
	ZipI32(room, x, payload, n, int(f))
	sortKeys(room, n, 0, n, 0)
	UnzipI32(x, payload, room, n, int(f))
}

// Pairs64 is Pairs32 for float64. room has 2n elements.
func Pairs64(x *int64, payload *int32, n int, room *int64, f Form) {
	if n == 0 {
		return
	}
	order := (*int32)(unsafe.Pointer(after(room, n)))
	Arg64(order, x, n, room, f)
	xs, ps, idx := unsafe.Slice(x, n), unsafe.Slice(payload, n), unsafe.Slice(order, n)
	ks, qs := unsafe.Slice(room, n), unsafe.Slice(after(order, n), n)
	for i, at := range idx {
		ks[i], qs[i] = xs[at], ps[at]
	}
	copy(xs, ks)
	copy(ps, qs)
	for from := 0; from < n; {
		to := from + 1
		for to < n && xs[to] == xs[from] {
			to++
		}
		if to-from > 1 {
			sortKeys(&ps[from], to-from, 0, to-from, 0)
		}
		from = to
	}
}
