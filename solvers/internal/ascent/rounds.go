package ascent

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// makeWorkers makes the workers. The first one works on W. Several others take rounds of visits, each with a copy of W,
// and then put their moves together. A round is long enough that this costs little. Workers do not see each other's
// moves in a round: if all rounds together exceed a quarter of the data there are fewer workers, or the first alone.
func (s *linearSolver[T]) makeWorkers(r rows[T], workers int) {
	newWorker := func(w weights[T]) *worker[T] {
		b := newBlock[T](s.cols, s.size, s.passes, r.all)
		if s.size > 1 {
			b.x = vec.NewMatrix[T](s.size, s.d)
		}
		if w.byClass {
			b.count, b.place, b.value = make([]int, s.cols), make([]int32, s.cols*s.size), make([]T, s.cols*s.size)
		}
		return &worker[T]{s: s, rows: r, weights: w, block: b, scores: make([]T, s.m)}
	}
	s.workers = []*worker[T]{newWorker(s.weights)}
	// the quadratic term of moves put together is known from W only without a coupling
	if workers == 1 || s.p.coupled() {
		return
	}
	round := s.o.Round
	if round == 0 {
		round = s.roundOf(&r)
		if round == 0 {
			return
		}
		workers = min(workers, s.n/(roundsInData*round))
	}
	workers = min(workers, s.n/round)
	if workers < 2 {
		return
	}
	s.round = round
	for range workers {
		w := newWorker(newWeights[T](s.d, s.cols, s.weights.byClass))
		w.old = vec.NewMatrix[T](round, s.m)
		s.workers = append(s.workers, w)
	}
}

// roundsInData is the least number of rounds, of all workers, in a pass over the data.
const roundsInData = 4

// roundOf returns the number of examples of a worker's round, 0 where several workers cannot pay: measured, two are
// slower than one where a visit multiplies fewer numbers than paying. Otherwise it is at least 128, as many as make up
// for waking a goroutine, and enough that what they do to W costs more than to copy and to add it. It is a multiple of
// the block's.
func (s *linearSolver[T]) roundOf(r *rows[T]) int {
	const (
		paying = 12500
		wake   = 200e3 // ns that a round should take
		flops  = 20.   // a ns, of products; a multiplication and an addition, for the scores and for W
	)
	held := float64(s.d) // numbers of an example
	if r.sparse != nil {
		held = 1 + float64(r.stored(s.n))/float64(s.n)
	}
	factor, _ := s.p.Factor.Matrix()
	numbers := held*float64(s.cols) + float64(factor.Rows)*float64(factor.Cols)
	if numbers < paying {
		return 0
	}
	round := max(128, wake*flops/(4*numbers))
	if s.size == 1 { // W changes with every example
		round = max(round, 24*float64(s.d)/held)
	}
	return (int(min(round, float64(s.n))) + s.size - 1) / s.size * s.size
}

// advance visits some of the examples that are due, from the given place, and returns the next place. Where few are
// left they are for one worker.
func (s *linearSolver[T]) advance(from int) (to int) {
	others := s.workers[1:]
	if s.round == 0 || len(s.due)-from < len(others)*s.round {
		w := s.workers[0]
		to = min(from+w.block.size(), len(s.due))
		w.update(s.due[from:to], s.due[to:], s.moved[from:to])
		return to
	}
	to = from + len(others)*s.round
	parallel.Do(len(others), len(others), func(_, q int) {
		a := from + q*s.round
		others[q].visitRound(s.due[a:a+s.round], s.moved[a:a+s.round])
	})
	s.join(from)
	return to
}

// visitRound visits examples with the worker's own W, which is then the change of W.
func (w *worker[T]) visitRound(rows []int, moved []bool) {
	copy(w.weights.Data, w.s.weights.Data)
	w.before, w.kept = w.dual, 0
	for size := w.block.size(); len(rows) > 0; {
		k := min(size, len(rows))
		w.update(rows[:k], rows[k:], moved[:k])
		rows, moved = rows[k:], moved[k:]
	}
	vec.Axpy(-1, w.s.weights.Data, w.weights.Data)
}

// join takes a part t of the moves of all workers. Each worker has raised the dual objective by moves of its own;
// together they may go too far where they point the same way. Along all of them the sum of the dual terms is concave,
// at least what lies between its ends, and the quadratic term is known, so that the objective rises by
//
//	gain(t) >= t (terms after - terms before - <W, D>) - t²/2 |D|²
//
// with D the sum of the changes of W. Where t = 1 has three quarters of the most that this bound promises, all is
// taken: a part costs a visit of each example. Otherwise t is the best, and at least the mean's, for which the
// objective rises for certain.
func (s *linearSolver[T]) join(from int) {
	others := s.workers[1:]
	sum, terms := others[0].weights.Data, 0.0
	for q, w := range others {
		terms += w.dual - w.before
		if q > 0 {
			vec.Axpy(1, w.weights.Data, sum)
		}
	}
	slope, square := terms-float64(vec.Dot(s.weights.Data, sum)), float64(vec.SquaredNorm(sum))
	t := 1.0
	if best := slope / square; best < 2./3 { // gain(1)/gain(best) = (2 best - 1)/best²
		t = max(best, 1/float64(len(others)))
	}
	vec.Axpy(T(t), sum, s.weights.Data)
	if t == 1 {
		return
	}
	for q, w := range others {
		for p, i := range s.due[from+q*s.round : from+(q+1)*s.round] {
			a, old, ex := s.a.Row(i), w.old.Row(p), &s.ex[i]
			for c, v := range a {
				a[c] = old[c] + T(t)*(v-old[c])
			}
			s.work.Example = i
			s.p.Loss.Repair(a, s.p.Labels.Of(i), ex.r, &s.work)
			s.setTerm(i)
		}
	}
}
