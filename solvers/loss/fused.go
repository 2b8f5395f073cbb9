package loss

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// visitFused is visit for the hinge l of Crammer and Singer: one kernel computes gap, projection, move and dual term.
// The kernel refuses numbers so hostile that its rounding would leave the domain; those are left to visit.
func visitFused[L Maximizer[T], T vec.Float](
	l L, a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	const lanes = 8 // the kernel writes delta and u by as many
	m := len(a)
	room := (m + lanes - 1) &^ (lanes - 1)
	if len(w.u) < room {
		w.u = make([]float64, room)
	}
	d := delta
	if cap(d) < room {
		d = w.take(room)
	}
	outcome := unchecked.Rests
	if unchecked.Is32[T]() {
		gap, after, outcome = unchecked.HingeStep32(a, s, d, y[0], &w.u[0], 1/h, r, term, least)
	} else {
		gap, after, outcome = unchecked.HingeStep64(a, s, d, y[0], &w.u[0], 1/h, r, term, least)
	}
	switch outcome {
	case unchecked.Refused:
		return Visit(l, a, s, y, h, r, term, least, delta, w)
	case unchecked.Rests:
		if gap > least { // and the best move is none
			clear(delta)
		}
		return gap, term, false
	}
	if cap(delta) < room {
		copy(delta, d[:m])
	}
	return gap, after, true
}
