package sort

import (
	"math/bits"
	"slices"
	"unsafe"
)

// I32 sorts x[:n], and leaves out what nobody asks for: only x[from:to] is sure to be as if all had been sorted; what
// lies before it is not greater, what lies behind not less.
//
// It is quicksort: partitions in place, and a network for what is short. Where pivots turn out badly again and again,
// the library's pattern-defeating quicksort takes over, so that no input takes more than O(n log n).
//
// It is not inlined: callers that are generic would take x for escaping through the generic function behind it.
//
//go:noinline
func I32(x *int32, n, from, to int, f Form) { sortKeys(x, n, from, to, f) }

// I64 is I32 for float64.
//
//go:noinline
func I64(x *int64, n, from, to int, f Form) { sortKeys(x, n, from, to, f) }

func sortKeys[K key](x *K, n, from, to int, f Form) {
	l := limit[K]()
	if n == 0 {
		return // x may be nil, and emulators fault on loads of which nothing is wanted
	}
	if n <= l {
		network(x, x, n, f)
		return
	}
	s := sorter[K]{limit: l, from: from, to: to, form: f &^ Load}
	if f&Load != 0 {
		convert(x, x, n, f&^Store)
	}
	s.sort(x, 0, n, 2*bits.Len(uint(n)))
}

// sorter sorts segments: n keys at x, which is place at in the whole.
type sorter[K key] struct {
	limit    int
	from, to int
	form     Form // of what is left
}

func (s *sorter[K]) sort(x *K, at, n, depth int) {
	for n > s.limit {
		if at >= s.to || at+n <= s.from {
			break
		}
		if depth == 0 {
			s.fallback(x, n)
			return
		}
		depth--
		p := pivot(x, n)
		low := partition(x, n, p)
		high := n - low
		if high == 0 {
			// No key is above the pivot: those equal to it belong to the end. Below the least key there is none.
			low = 0
			if p-1 < p {
				low = partition(x, n, p-1)
			}
			s.fill(after(x, low), n-low, p)
			n = low
			continue
		}
		if low < high {
			s.sort(x, at, low, depth)
			x, at, n = after(x, low), at+low, high
		} else {
			s.sort(after(x, low), at+low, high, depth)
			n = low
		}
	}
	if n <= s.limit {
		network(x, x, n, s.form)
	} else if s.form&Store != 0 {
		convert(x, x, n, s.form)
	}
}

// fill writes n times the key k.
func (s *sorter[K]) fill(x *K, n int, k K) {
	if n == 0 {
		return
	}
	if s.form&Store != 0 {
		k = fromKey(k, s.form)
	}
	h := unsafe.Slice(x, n)
	h[0] = k
	for done := 1; done < n; done *= 2 {
		copy(h[done:], h[:done])
	}
}

func (s *sorter[K]) fallback(x *K, n int) {
	slices.Sort(unsafe.Slice(x, n))
	convert(x, x, n, s.form)
}
