package project

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// insertMax is the largest k for which the k largest elements are kept sorted by insertion: d compares, and few moves
// on average. Beyond it, selection and sorting cost O(d + k log k).
const insertMax = 24

// sortFrom and sortTo are the numbers of elements that sorting by vectors puts in order sooner than insertion finds the
// k largest of them.
const sortFrom, sortTo = 16, 256

// largest is the function largest, on the scratch memory of w. Where kernels sort, it sorts a copy of few elements:
// then others takes what follows from there.
func (w *Workspace[T]) largest(a []T, k int) ([]float64, bool) {
	w.sorted = w.sorted[:0]
	if n := len(a); k == 1 || n < sortFrom || n > sortTo || !unchecked.SortsByVectors() {
		return largest(w.scratch(n), a, k)
	}
	w.sorted = append(w.sorted, a...)
	vec.SortDescending(w.sorted)
	v := w.scratch(len(a))
	for _, x := range w.sorted[:k] {
		v = append(v, float64(x))
	}
	last := w.sorted[len(a)-1] // NaN, if there is one
	return v, last == last
}

// others is appendAbove after w.largest: in falling order, where it has sorted.
func (w *Workspace[T]) others(v []float64, a []T, c, t float64) []float64 {
	if len(w.sorted) == 0 {
		return appendAbove(v, a, c, t)
	}
	for _, ai := range w.sorted[len(v):] {
		x := float64(ai) - c
		if !(x > t) {
			break
		}
		v = append(v, x)
	}
	return v
}

// largest appends the k largest elements of a to v, sorted downwards. It reports false when it meets a NaN. It may use
// v's room up to len(a).
func largest[T vec.Float](v []float64, a []T, k int) ([]float64, bool) {
	if k > insertMax {
		return largestBySelection(v, a, k)
	}
	v = v[:k]
	for i, ai := range a[:k] {
		x := float64(ai)
		if x != x {
			return v, false
		}
		insert(v[:i+1], x)
	}
	least := v[k-1]
	for _, ai := range a[k:] {
		if x := float64(ai); !(x <= least) {
			if x != x {
				return v, false
			}
			insert(v, x)
			least = v[k-1]
		}
	}
	return v, true
}

// insert puts x at its place in v, sorted downwards, and drops the last element.
func insert(v []float64, x float64) {
	j := len(v) - 1
	for ; j > 0 && v[j-1] < x; j-- {
		v[j] = v[j-1]
	}
	v[j] = x
}

func largestBySelection[T vec.Float](v []float64, a []T, k int) ([]float64, bool) {
	v = v[:0]
	for _, ai := range a {
		x := float64(ai)
		if x != x {
			return v, false
		}
		v = append(v, x)
	}
	vec.NthElement(v, len(v)-k)
	copy(v, v[len(v)-k:])
	vec.SortDescending(v[:k])
	return v[:k], true
}

// appendAbove appends a_i - c for every a_i > c + t that is not among the elements that v holds already: the largest of
// a minus c, the least of which is v's last element, 0. Here t < 0. It has no branch on the data, and uses v's room up
// to len(a)+1.
func appendAbove[T vec.Float](v []float64, a []T, c, t float64) []float64 {
	ties, n := len(a)-len(v), len(v) // elements not below c that v lacks
	v = v[:len(a)+1]
	for _, ai := range a {
		x := float64(ai) - c
		v[n] = x
		below, above := 0, 0
		if x < 0 {
			below = 1
		}
		if x > t {
			above = 1
		}
		n += below & above
		ties -= below
	}
	for range ties {
		v[n] = 0
		n++
	}
	return v[:n]
}
