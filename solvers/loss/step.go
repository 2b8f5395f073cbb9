package loss

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/hinge"
	"github.com/dualgap/dualgap/vec"
)

// Step is a visit of an example in one call. It returns g_i = r phi(s) - term + <a,s>, where term is the dual term of a, and
// where that exceeds least moves a to its optimum and sets delta, as Update does; after is the dual term that a has then. It
// reports ok = false, and has done nothing, for numbers so hostile that Primal, Update and Dual have to do it. Where the gap is NaN
// a stays. delta is set where a moves, and may be overwritten up to its capacity, with zeros behind the last class: a capacity of
// whole lanes, a multiple of 8, saves a copy.
type Step[T vec.Float] func(a, s []T, y int, h, r, term, least float64, delta []T, w *Workspace[T]) (gap, after float64, moved, ok bool)

// StepOf returns the kernel that is Primal, Update and Dual of the loss l in one, or nil where there is none: there is one for
// the hinge of Crammer and Singer.
func StepOf[T vec.Float](l Loss[T]) Step[T] {
	if l == Loss[T](TopKHinge[T]{K: 1}) || l == Loss[T](TopKUsunier[T]{K: 1}) {
		return hingeStep[T]
	}
	return nil
}

func hingeStep[T vec.Float](a, s []T, y int, h, r, term, least float64, delta []T, w *Workspace[T]) (gap, after float64, moved, ok bool) {
	const lanes = 8
	m := len(a)
	room := (m + lanes - 1) &^ (lanes - 1)
	if len(w.u) < room {
		w.u = make([]float64, room)
	}
	d := delta
	if cap(d) < room {
		d = w.take(room)
	}
	u, outcome := &w.u[0], 0
	if unsafe.Sizeof(T(0)) == 8 {
		gap, after, outcome = hinge.StepF64(pointer[float64](a), pointer[float64](s), pointer[float64](d), m, y, u, 1/h, r, term, least)
	} else {
		gap, after, outcome = hinge.StepF32(pointer[float32](a), pointer[float32](s), pointer[float32](d), m, y, u, 1/h, r, term, least)
	}
	if cap(delta) < room && outcome == hinge.Moved {
		copy(delta, d[:m])
	}
	return gap, after, outcome == hinge.Moved, outcome != hinge.Refused
}

// hingeUpdate is Update for the hinge of Crammer and Singer.
func hingeUpdate[T vec.Float](a, s []T, y int, h T, r float64, delta []T, w *Workspace[T]) (moved, ok bool) {
	_, _, moved, ok = hingeStep(a, s, y, float64(h), r, 0, math.Inf(-1), delta[:len(a):len(a)], w)
	if !moved {
		clear(delta)
	}
	return moved, ok
}

func pointer[U, T vec.Float](x []T) *U { return (*U)(unsafe.Pointer(unsafe.SliceData(x))) }
