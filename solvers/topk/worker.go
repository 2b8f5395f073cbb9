package topk

import (
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// worker visits examples, by one goroutine at a time.
type worker[T vec.Float] struct {
	*solver[T]
	w          vec.Matrix[T] // that of the solver, or the worker's own copy
	block      block[T]
	one        [1]int
	work       loss.Workspace[T]
	dual, gaps float64 // changes of the solver's
	visits     int
	norm       float64       // squared, of the change of W in a round
	old        vec.Matrix[T] // dual variables of the round's examples before it, where there are several workers
}

// visit updates example i with the given scores and reports whether it moved, by delta. Where its g_i says that there is
// nothing to gain it stays.
func (w *worker[T]) visit(i int, scores, delta []T) (moved bool, gap float64) {
	w.visits++
	a, y, ex := w.duals(i), w.y.of(i), &w.ex[i]
	scores = scores[:len(a)]
	if w.step != nil {
		gap, term, moved, ok := w.step(a, scores, y[0], ex.h, ex.r, ex.term, w.negligible, delta, &w.work)
		if moved {
			w.changed(a, ex, term)
		}
		if ok {
			return moved, gap
		}
	}
	gap = ex.r*w.loss.Primal(scores, y, &w.work) - ex.term
	if !ex.zero {
		gap += float64(vec.Dot(a, scores))
	}
	if gap <= w.negligible || !w.loss.Update(a, scores, y, T(ex.h), ex.r, delta, &w.work) {
		return false, gap
	}
	w.changed(a, ex, w.loss.Dual(a, y, ex.r, &w.work))
	return true, gap
}

// changed notes the dual term after a move.
func (w *worker[T]) changed(a []T, ex *example, term float64) {
	w.dual += term - ex.term
	ex.term = term
	ex.zero = term == 0 && isZero(a)
}

// saw notes what a visit found of the gap.
func (w *worker[T]) saw(i int, gap float64) {
	w.gaps += gap - w.ex[i].gap
	w.ex[i].gap = gap
}

func isZero[T vec.Float](a []T) bool {
	for _, v := range a {
		if v != 0 {
			return false
		}
	}
	return true
}
