package sort

import (
	"math/bits"
	"slices"
	"unsafe"
)

// I32 sorts x[:n], with room for as many in tmp, and leaves out what nobody asks for: only x[from:to] is sure to be as
// if all had been sorted; what lies before it is not greater, what lies behind not less. Up to the limit of the tier
// tmp is not touched.
//
// It is quicksort: a partition moves the keys up to the pivot to the front of x and the others to the front of tmp,
// from where they find back by their own partitions or by a network. Where pivots turn out badly again and again, the
// library's pattern-defeating quicksort takes over, so that no input takes more than O(n log n).
func I32(x, tmp *int32, n, from, to int, f Form) { sortKeys(x, tmp, n, from, to, f) }

// I64 is I32 for float64.
func I64(x, tmp *int64, n, from, to int, f Form) { sortKeys(x, tmp, n, from, to, f) }

// Limit32 and Limit64 are the lengths up to which I32 and I64 need no room.

func Limit32() int { return limit[int32]() }
func Limit64() int { return limit[int64]() }

func sortKeys[K key](x, tmp *K, n, from, to int, f Form) {
	l := limit[K]()
	if n == 0 {
		return // x may be nil, and emulators fault on loads of which nothing is wanted
	}
	if n <= l {
		network(x, x, n, f)
		return
	}
	s := sorter[K]{limit: l, from: from, to: to, form: f &^ Load}
	src := x
	if f&Load != 0 {
		convert(tmp, x, n, f&^Store)
		src = tmp
	}
	s.sort(x, tmp, src, 0, n, 2*bits.Len(uint(n)))
}

// sorter sorts segments. A segment is n keys in src, which is home, where they shall go, or away, of the same length;
// at is the place of home in the whole.
type sorter[K key] struct {
	limit    int
	from, to int
	form     Form // of what is written home
}

func (s *sorter[K]) sort(home, away, src *K, at, n, depth int) {
	for n > s.limit {
		if at >= s.to || at+n <= s.from {
			break
		}
		if depth == 0 {
			s.fallback(home, src, n)
			return
		}
		depth--
		p := pivot(src, n)
		low := partition(home, away, src, n, p)
		high := n - low
		if high == 0 {
			// No key is above the pivot: those equal to it belong to the end. Below the least key there is none.
			low = 0
			if p-1 < p {
				low = partition(home, away, home, n, p-1)
			}
			s.fill(after(home, low), n-low, p)
			src, n = home, low
			continue
		}
		// The low keys are home already; behind the high ones there is room for as many away.
		if low < high {
			s.sort(home, after(away, high), home, at, low, depth)
			home, src, at, n = after(home, low), away, at+low, high
		} else {
			s.sort(after(home, low), away, away, at+low, high, depth)
			away, src, n = after(away, high), home, low
		}
	}
	if n <= s.limit {
		network(home, src, n, s.form)
	} else {
		convert(home, src, n, s.form)
	}
}

// fill writes n times the key k.
func (s *sorter[K]) fill(home *K, n int, k K) {
	if n == 0 {
		return
	}
	if s.form&Store != 0 {
		k = fromKey(k, s.form)
	}
	h := unsafe.Slice(home, n)
	h[0] = k
	for done := 1; done < n; done *= 2 {
		copy(h[done:], h[:done])
	}
}

func (s *sorter[K]) fallback(home, src *K, n int) {
	h := unsafe.Slice(home, n)
	copy(h, unsafe.Slice(src, n))
	slices.Sort(h)
	convert(home, home, n, s.form)
}
