package ascent

import "github.com/dualgap/dualgap/solvers/loss"

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

// updateNumber is updateOne of one output: a dot product, a few numbers, and where these move an axpy.
func (w *worker[T]) updateNumber(i int) (moved bool) {
	w.keep(i)
	w.visits++
	s, ex, a := w.s, &w.s.ex[i], &w.s.a.Data[i]
	to, gap, term := s.one.VisitOne(*a, w.rows.score(i, w.weights.Data), ex.labels != 0, i, ex.h, ex.r, ex.term,
		s.negligible)
	w.note(i, gap)
	step := to - *a
	if step == 0 {
		return false
	}
	*a = to
	w.dual += term - ex.term
	ex.term, ex.zero = term, to == 0
	if s.changed[i] == 0 { // see visit
		s.changed[i] = 1
	}
	w.rows.addTo(w.weights.Data, i, step)
	return true
}
