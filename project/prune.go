package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// Pruning: the largest elements of 16 classes of a form a small problem, whose solution bounds the threshold of the
// whole from below. One pass finds them, a second one keeps what is not below the bound: as a rule little more than
// what will be positive.

const (
	classes   = unchecked.Classes
	pruneFrom = 24           // elements; below, pruning costs more than it saves
	againTo   = 16 * classes // elements left, up to which they are pruned again
)

// lowBound says how far below c, the k-th largest element, the threshold can lie: by low = max(0, min(limit, most v +
// kth c + rest)), where v is the largest. It holds with the maxima of the classes in the place of the elements, too.
type lowBound struct{ limit, most, kth, rest float64 }

// prunes says whether it pays, before each projection: with more than 16 elements at the cap the maxima bound nothing,
// and without vectors three passes cost what they save.
func (w *Workspace[T]) prunes(d, k int) bool {
	w.placed, w.cleared = false, false
	return d >= pruneFrom && k <= classes && !unchecked.Generic()
}

// collect returns the elements of a that can matter, but for a few too many, the k largest among them: 1 <= k <= 16, k
// <= len(a). It may clear dst, which may be a, where w.index then has the positions of what it returns.
func (w *Workspace[T]) collect(dst, a []T, k int, b lowBound) []T {
	w.bound = [4]float32{float32(b.limit), float32(b.most), float32(b.kth), float32(b.rest)}
	n := w.prune(dst, a, k)
	if n < 0 || n == len(a) { // all are so close to each other that float32, in which prune computes, is too coarse
		v, _ := largest(w.scratch(classes), w.classMaxima(a), k)
		low := max(0, min(b.limit, b.most*v[0]+b.kth*v[k-1]+b.rest))
		return w.above(dst, a, a, v[k-1]-low-0x1p-48*(math.Abs(v[k-1])+low))
	}
	// What is left seldom shares a class. Where most are left, it is for another reason.
	if n > classes && k > 1 && n <= min(againTo, len(a)/2) {
		n = w.pruneAgain(n, k)
	}
	return w.cand[:n]
}

// prune copies to w.cand the elements of a that are not below the bound in w, and their positions to w.index, and
// returns their number. Where that is at most 16 it clears dst, if it is not nil. It returns -1 where the CPU has no
// such kernel.
func (w *Workspace[T]) prune(dst, a []T, k int) int {
	if !unchecked.Prunes() {
		return -1
	}
	w.reserve(len(a))
	n := w.callPrune(dst, a, &w.index[0], k)
	w.placed, w.cleared = true, n <= classes && dst != nil
	return n
}

// pruneAgain is prune of the first n elements of w.cand, n <= againTo, with their positions.
func (w *Workspace[T]) pruneAgain(n, k int) int {
	m := w.callPrune(nil, w.cand[:n], &w.again[0], k)
	for i, j := range w.again[:m] {
		w.index[i] = w.index[j] // i <= j
	}
	return m
}

func (w *Workspace[T]) callPrune(dst, a []T, at *int32, k int) int {
	if unchecked.Is32[T]() {
		return unchecked.Prune32(w.cand, at, &w.maxima, a, dst, k, &w.bound)
	}
	return unchecked.Prune64(w.cand, at, &w.maxima, a, dst, k, &w.bound)
}

// reserve makes room for n elements and their positions.
func (w *Workspace[T]) reserve(n int) {
	if n += classes; len(w.cand) < n {
		w.cand = make([]T, n)
		if unchecked.Prunes() {
			w.index = make([]int32, n)
		}
	}
}

// classMaxima returns the largest elements of the classes, in no order.
func (w *Workspace[T]) classMaxima(a []T) []T {
	unchecked.Maxima(&w.maxima, a)
	return w.maxima[:]
}

// above returns the elements of c that are not below t, and those that are NaN; all when t is NaN. c is a or what is
// left of it; dst is as with collect.
func (w *Workspace[T]) above(dst, a, c []T, t float64) []T {
	n := -1
	w.bound[0] = roundDown[float32](t)
	if len(c) == len(a) {
		n = w.prune(dst, c, 0)
	} else if w.placed && len(c) <= againTo {
		n = w.pruneAgain(len(c), 0)
	}
	if n >= 0 && (unchecked.Is32[T]() || n < len(c)) { // float32 may be too coarse for float64
		return w.cand[:n]
	}
	w.reserve(len(c))
	w.placed = false
	if unchecked.Is32[T]() {
		return w.cand[:unchecked.Above32(w.cand, c, float32(t))]
	}
	return w.cand[:unchecked.Above64(w.cand, c, t)]
}

// roundDown returns a number of T that does not exceed t, nor is far below it.
func roundDown[T vec.Float](t float64) T {
	v := T(t)
	if float64(v) > t { // of float32, then
		return T(math.Nextafter32(float32(v), float32(math.Inf(-1))))
	}
	return v
}

// spread sets dst to a - c - t within [0, u], where kept are the elements of a that can exceed c + t.
func (w *Workspace[T]) spread(dst, a, kept []T, c, t, u float64) {
	if !w.cleared && (!w.placed || len(kept) > len(a)/8) { // single elements cost more than passing over all
		clip(dst, a, c, t, 0, u)
		return
	}
	if !w.cleared {
		clear(dst)
	}
	for i, j := range w.index[:len(kept)] {
		dst[j] = T(min(max(float64(kept[i])-c-t, 0), u))
	}
}
