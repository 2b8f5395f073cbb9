package ascent

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// worker visits examples, by one goroutine at a time.
type worker[T vec.Float] struct {
	s       *linearSolver[T]
	rows    rows[T]
	weights weights[T] // the solver's, or the worker's own copy
	block   block[T]
	work    loss.Workspace[T]
	before  float64       // dual terms when the round began
	round   []int         // the examples of the round
	scores  []T           // of all outputs, where there is a factor
	old     vec.Matrix[T] // dual variables of the round's examples before it, where there are several workers
	kept    int           // how many of these there are
	next    []int         // the examples that follow a block
	moved   []bool        // which of the block moved
	byRows  *loss.Rows[T] // what visits sparse examples of one output by a kernel, or nil: see updateRows

	roundMoved      []bool  // which of the round moved
	quadraticBefore float64 // the quadratic term when the round began, where there is a coupling
	own, joint      float64 // <ΔA_w, X D_w> and <ΔA_w, X D> of the round: see forms
	forms           forms[T]

	counts // changes of the solver's, up to the end of an epoch
}

// visit updates example i with the given scores and reports whether it moved, by delta. Where its g_i says that there
// is nothing to gain it stays.
func (w *worker[T]) visit(i int, scores, delta []T) (moved bool, gap float64) {
	w.visits++
	a, ex, term := w.s.duals(i), &w.s.ex[i], 0.0
	w.work.Zero, w.work.Example = ex.zero, i
	if c := &w.s.coupled; c.Coupled != nil {
		gap, term, moved = c.VisitCoupled(a, scores, c.of(i), ex.h, ex.r, ex.term, w.s.negligible, delta, &w.work)
	} else {
		scores = w.s.p.Factor.Scores(w.scores, scores)
		gap, term, moved = w.s.p.Loss.Visit(a, scores, w.s.p.Labels.Of(i), ex.h, ex.r, ex.term, w.s.negligible, delta,
			&w.work)
	}
	if moved {
		w.quadratic += w.work.Quadratic
		w.work.Quadratic = 0
		w.dual += term - ex.term
		ex.term = term
		if w.s.changed[i] == 0 { // a store would take the cache line, of 64 examples, from another worker
			w.s.changed[i] = 1
		}
		ex.zero = term == 0 && isZero(a)
	}
	return moved, gap
}

// keep saves the dual variables of example i before its visits of a round, while they are in the cache.
func (w *worker[T]) keep(i int) {
	if w.old.Rows > 0 {
		copy(w.old.Row(w.kept), w.s.duals(i))
		w.kept++
	}
}

// note keeps what a visit found of the gap.
func (w *worker[T]) note(i int, gap float64) {
	ex := &w.s.ex[i]
	w.gaps += gap - ex.gap
	ex.gap = gap
}

// prefetch loads what the next visit, of example i, needs, during the current one.
func (w *worker[T]) prefetch(i int) {
	unchecked.Prefetch(w.s.duals(i))
	unchecked.Prefetch(w.s.ex[i : i+1])
	if w.s.coupled.Coupled != nil {
		unchecked.Prefetch(w.s.coupled.of(i))
	}
	w.rows.prefetch(i, w.block.size() > 1)
}
