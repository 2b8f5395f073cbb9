package pq

import (
	"cmp"
	"slices"
)

// ranked is a vector and its distance to the query, negative for inner products.
type ranked struct {
	id  uint64
	d   float64
	row *float32 // the vector, if the index keeps it
}

// farther orders vectors by distance, then by number.
func farther(a, b ranked) bool { return a.d > b.d || a.d == b.d && a.id > b.id }

// ranks are the k nearest so far, a heap with the farthest on top.
type ranks []ranked

// keep puts x into the heap of k if it is nearer than the farthest there.
func (h *ranks) keep(x ranked, k int) {
	s := *h
	if len(s) < k {
		s = append(s, x)
		for i := len(s) - 1; i > 0 && farther(s[i], s[(i-1)/2]); i = (i - 1) / 2 {
			s[i], s[(i-1)/2] = s[(i-1)/2], s[i]
		}
		*h = s
		return
	}
	if !farther(s[0], x) {
		return
	}
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < k && farther(s[child+1], s[child]) {
			child++
		}
		if child >= k || !farther(s[child], x) {
			s[i] = x
			return
		}
		s[i], i = s[child], child
	}
}

// sort brings the heap, or what else it holds, into order, the nearest first.
func (h ranks) sort() {
	slices.SortFunc(h, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.id, b.id)) })
}

// append sorts the heap and appends at most k of it to dst[:0].
func (h ranks) append(dst []Neighbor, metric Metric, k int) []Neighbor {
	h.sort()
	dst = dst[:0]
	for _, x := range h[:min(k, len(h))] {
		if metric != L2 {
			x.d = -x.d
		}
		dst = append(dst, Neighbor{x.id, float32(x.d)})
	}
	return dst
}
