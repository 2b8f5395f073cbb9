package ascent

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/loss"
)

// setOne finds whether examples are visited by numbers: where there is one output, W is a vector and the loss knows
// how. What it needs to know of the labels is then in ex.
func (s *linearSolver[T]) setOne() {
	one, ok := s.p.Loss.(loss.One[T])
	if !ok || !one.Ones() || s.weights.Stride != 1 || s.m != 1 || s.grouped != nil || s.coupled.Coupled != nil ||
		s.p.Factor != nil {
		return
	}
	s.one = one
	for i := range s.ex {
		s.ex[i].labels = uint16(len(s.p.Labels.Of(i)))
	}
}

// updateNumbers visits the first examples of due, as many as moved has places, and tells which moved. Those behind them
// are visited next: what they need is on its way meanwhile.
func (w *worker[T]) updateNumbers(due []int, moved []bool) {
	for w.byRows != nil && len(moved) > 0 {
		some := min(len(moved), loss.RowsAtOnce)
		w.updateRows(due, moved[:some])
		due, moved = due[some:], moved[some:]
	}
	for p := range moved {
		i := due[p]
		w.keep(i)
		ex, a := &w.s.ex[i], w.s.a.Data[i]
		to, gap, term := w.s.one.VisitOne(a, w.scoreAhead(due, p), ex.labels != 0, i, ex.h, ex.r, ex.term,
			w.s.negligible)
		step := w.settle(i, to, gap, term)
		if moved[p] = step != 0; moved[p] {
			w.rows.addTo(w.weights.Data, i, step)
		}
	}
}

// updateRows is updateNumbers by a kernel. What it has found is noted as settle does, in one loop: that an example
// moves is a guess of the processor's, which it makes once.
func (w *worker[T]) updateRows(due []int, moved []bool) {
	r, s, l, n := &w.rows, w.s, w.byRows, len(moved)
	due, ends := due[:n], due[n:]
	for p, i := range due {
		w.keep(i)
		ex, from := &s.ex[i], r.ptr[i]
		l.Put(p, from, r.ptr[i+1]-from, s.a.Data[i], ex.labels != 0, ex.h, ex.r, ex.term)
	}
	next := due[n-1]
	for p := range loss.RowsAhead {
		if p < len(ends) {
			next = ends[p]
		}
		l.Next(n+p, r.ptr[next])
	}
	l.Visit(n, r.columns, r.values, w.weights.Data, r.constant, r.d, s.negligible)
	w.visits += n
	gaps, dual, alone := w.gaps, w.dual, w == s.workers[0]
	for p, i := range due {
		to, gap := l.Visited(p)
		ex, a := &s.ex[i], &s.a.Data[i]
		gaps += gap - ex.gap
		ex.gap = gap
		if to == *a {
			moved[p] = false
			if alone {
				s.schedule.rested(i, s.epoch)
			}
			continue
		}
		term := l.Term(p)
		dual += term - ex.term
		*a, ex.term, ex.zero = to, term, to == 0
		if s.changed[i] == 0 { // see visit
			s.changed[i] = 1
		}
		moved[p] = true
		if alone {
			s.schedule.moved(i, s.epoch)
		}
	}
	w.gaps, w.dual = gaps, dual
}

// ahead is how many visits before its own the row of an example is asked for, and half as many as before that where the
// row lies.
const ahead = 3

// scoreAhead is rows.score of the example at a place of due, while others are on their way.
func (w *worker[T]) scoreAhead(due []int, place int) T {
	r, last, i := &w.rows, len(due)-1, due[place]
	if r.ptr == nil {
		if place < last {
			w.prefetch(due[place+1])
		}
		return r.score(i, w.weights.Data)
	}
	next, then := due[min(place+ahead, last)], due[min(place+2*ahead, last)]
	from, to, at := r.ptr[i], r.ptr[i+1], r.ptr[next]
	s := unchecked.SparseDotAhead(r.columns[from:to], r.values[from:to], w.weights.Data, r.columns[at:], r.values[at:],
		unsafe.Pointer(&w.s.ex[next]), unsafe.Pointer(&w.s.a.Data[next]), unsafe.Pointer(&r.ptr[then]))
	if r.constant != 0 {
		s += r.constant * w.weights.Data[r.d]
	}
	return s
}

// settle notes what a visit of example i has found, with its dual term where it moved, and returns by how much that is.
func (w *worker[T]) settle(i int, to T, gap, term float64) (step T) {
	s, ex, a := w.s, &w.s.ex[i], &w.s.a.Data[i]
	w.visits++
	w.note(i, gap)
	if step = to - *a; step == 0 {
		return 0
	}
	*a = to
	w.dual += term - ex.term
	ex.term, ex.zero = term, to == 0
	if s.changed[i] == 0 { // see visit
		s.changed[i] = 1
	}
	return step
}
