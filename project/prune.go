package project

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/asm/proj"
	"github.com/dualgap/dualgap/vec"
)

// Pruning: the largest elements of 16 classes of a form a small problem, whose solution bounds the threshold of the whole
// from below. One pass finds them, a second one keeps what is not below the bound: as a rule little more than
// what will be positive.

const (
	classes   = 16
	pruneFrom = 24 // elements; below, pruning costs more than it saves
)

// prunes says whether it pays: with more than 16 elements at the cap the maxima bound nothing, and without vectors three
// passes cost what they save.
func prunes(d, k int) bool { return d >= pruneFrom && k <= classes && cpu.Level != cpu.Generic }

// classMaxima returns the largest elements of the classes, in no order.
func (w *Workspace[T]) classMaxima(a []T) []T {
	m, p := unsafe.Pointer(&w.maxima), unsafe.Pointer(unsafe.SliceData(a))
	if isF32[T]() {
		proj.MaximaF32((*float32)(m), (*float32)(p), len(a))
	} else {
		proj.MaximaF64((*float64)(m), (*float64)(p), len(a))
	}
	return w.maxima[:]
}

// above returns the elements of a that are not below t, and those that are NaN; all when t is NaN.
func (w *Workspace[T]) above(a []T, t float64) []T {
	if n := len(a) + classes; cap(w.cand) < n {
		w.cand = make([]T, n)
	}
	dst, p := unsafe.Pointer(unsafe.SliceData(w.cand)), unsafe.Pointer(unsafe.SliceData(a))
	if isF32[T]() {
		return w.cand[:proj.AboveF32((*float32)(dst), (*float32)(p), len(a), float32(roundDown[T](t)))]
	}
	return w.cand[:proj.AboveF64((*float64)(dst), (*float64)(p), len(a), t)]
}

// roundDown returns a number of T that does not exceed t, nor is far below it.
func roundDown[T vec.Float](t float64) T {
	v := T(t)
	if float64(v) > t {
		return T(math.Nextafter32(float32(v), float32(math.Inf(-1))))
	}
	return v
}
