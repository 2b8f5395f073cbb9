package ascent

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// hire makes the workers. Several take turns of visits, each with a copy of W, and then put their moves together. A round is
// long enough that this costs little; where it would be more than a small part of the examples there is one worker.
func (s *linearSolver[T]) hire(r rows[T], workers int) {
	hire := func(w weights[T]) *worker[T] {
		return &worker[T]{s: s, rows: r, weights: w, block: newBlock[T](s.d, s.m, s.size, s.passes)}
	}
	s.alone = hire(s.weights)
	s.workers = []*worker[T]{s.alone}
	if workers == 1 || s.p.coupled() { // the quadratic term of moves put together is known from W only without a coupling
		return
	}
	round := 128
	if r.sparse != nil { // what W costs against an example
		round = max(round, int(min(int64(s.n), 24*int64(s.d)*int64(s.n)/int64(1+r.stored(s.n)))))
	}
	size := s.alone.block.size()
	round = (round + size - 1) / size * size
	if workers > s.n/2/round {
		return
	}
	s.round, s.workers = round, nil
	for range workers {
		w := hire(newWeights[T](s.d, s.m, s.weights.byClass))
		w.old = vec.NewMatrix[T](round, s.m)
		s.workers = append(s.workers, w)
	}
}

// advance visits some of the examples that are due, from the given place, and returns the next place. Where few are left
// they are for one worker.
func (s *linearSolver[T]) advance(from int) (to int) {
	if s.round == 0 || len(s.due)-from < len(s.workers)*s.round {
		to = min(from+s.alone.block.size(), len(s.due))
		s.alone.update(s.due[from:to], s.due[to:], s.stirred[from:to])
		return to
	}
	to = from + len(s.workers)*s.round
	parallel.Do(len(s.workers), len(s.workers), func(_, q int) {
		a := from + q*s.round
		s.workers[q].turn(s.due[a:a+s.round], s.stirred[a:a+s.round])
	})
	s.join(from)
	return to
}

// turn visits examples with the worker's own W, which is then the change of W.
func (w *worker[T]) turn(rows []int, moved []bool) {
	copy(w.weights.Data, w.s.weights.Data)
	for p, i := range rows {
		copy(w.old.Row(p), w.s.a.Row(i))
	}
	for size := w.block.size(); len(rows) > 0; {
		k := min(size, len(rows))
		w.update(rows[:k], rows[k:], moved[:k])
		rows, moved = rows[k:], moved[k:]
	}
	vec.Axpy(-1, w.s.weights.Data, w.weights.Data)
	w.norm = float64(vec.SquaredNorm(w.weights.Data))
}

// join adds the moves of all workers. Each has raised the dual objective, by some |D|²/2 as a rule with D its change of W;
// all of them raise it by the sum of that less the inner products of their D. Where those are too large, the moves point the
// same way, and their mean is taken: it raises the objective for certain, which is concave.
func (s *linearSolver[T]) join(from int) {
	sum, norms := s.workers[0].weights.Data, 0.0
	for q, w := range s.workers {
		norms += w.norm
		if q > 0 {
			vec.Axpy(1, w.weights.Data, sum)
		}
	}
	t := 1.0
	if both := float64(vec.SquaredNorm(sum)); both > 1.5*norms { // |sum D|² = sum |D|² + 2 inner products
		t = 1 / float64(len(s.workers))
	}
	vec.Axpy(T(t), sum, s.weights.Data)
	if t == 1 {
		return
	}
	for q, w := range s.workers {
		for p, i := range s.due[from+q*s.round : from+(q+1)*s.round] {
			a, old, ex := s.a.Row(i), w.old.Row(p), &s.ex[i]
			for c, v := range a {
				a[c] = old[c] + T(t)*(v-old[c])
			}
			s.p.Loss.Repair(a, s.p.Labels.Of(i), ex.r, &s.work)
			term := s.p.Loss.Dual(a, s.p.Labels.Of(i), ex.r, &s.work)
			s.dual += term - ex.term
			ex.term, ex.zero = term, term == 0 && isZero(a)
		}
	}
}
