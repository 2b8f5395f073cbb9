package loss

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/hinge"
	"github.com/dualgap/dualgap/vec"
)

// visitFused is visit for the hinge l of Crammer and Singer: one kernel computes gap, projection, move and dual term. The
// kernel refuses numbers so hostile that its rounding would leave the domain; those are left to visit.
func visitFused[L maximizer[T], T vec.Float](
	l L, a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
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
		gap, after, outcome = hinge.StepF64(pointer[float64](a), pointer[float64](s), pointer[float64](d), m, y[0], u, 1/h, r, term, least)
	} else {
		gap, after, outcome = hinge.StepF32(pointer[float32](a), pointer[float32](s), pointer[float32](d), m, y[0], u, 1/h, r, term, least)
	}
	switch outcome {
	case hinge.Refused:
		return visit(l, a, s, y, h, r, term, least, delta, w)
	case hinge.Rests:
		if cap(delta) < room && gap > least {
			clear(delta)
		}
		return gap, term, false
	}
	if cap(delta) < room {
		copy(delta, d[:m])
	}
	return gap, after, true
}

func pointer[U, T vec.Float](x []T) *U { return (*U)(unsafe.Pointer(unsafe.SliceData(x))) }
