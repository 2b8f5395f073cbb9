package ascent

import (
	"cmp"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// makeWorkers makes the workers. The first one works on W. Several others take rounds of visits, each with a copy of W,
// and then put their moves together. Workers do not see each other's moves in a round.
func (s *linearSolver[T]) makeWorkers(r rows[T], workers int) {
	newWorker := func(w weights[T]) *worker[T] {
		b := newBlock[T](s.cols, s.size, s.passes, r.all)
		if s.size > 1 {
			b.x = vec.NewMatrix[T](s.size, s.d)
		}
		if w.byClass {
			b.count, b.place, b.value = make([]int, s.cols), make([]int32, s.cols*s.size), make([]T, s.cols*s.size)
		}
		worker := &worker[T]{s: s, rows: r, weights: w, block: b, scores: make([]T, s.m)}
		if s.one != nil && r.ptr != nil {
			worker.byRows = loss.RowsOf(s.p.Loss)
		}
		return worker
	}
	s.workers = []*worker[T]{newWorker(s.weights)}
	if workers == 1 {
		return
	}
	stored := 0
	if r.sparse != nil {
		stored = r.stored(s.n)
	}
	shared := s.p.rounds(s.o, s.n, s.d, stored)
	workers = shared.sharing(workers, s.n)
	if workers < 2 {
		return
	}
	s.rounds = shared
	inverse := inverseOfForms[T](s.p.Coupling)
	for range workers {
		w := newWorker(newWeights[T](s.d, s.cols, s.size))
		w.old = vec.NewMatrix[T](s.rounds.most(workers, s.n), s.m)
		w.forms = forms[T]{inverse, vec.NewMatrix[T](inverse.Rows, inverse.Rows)}
		s.workers = append(s.workers, w)
	}
	l := &s.momentum
	for q := 1; q < workers; q++ {
		l.leaps = append(l.leaps, newLeap[T](q, s.m, len(l.leaps[0].step)))
	}
}

// rounds says how several workers share an epoch: in rounds, in which all of them together take a quarter of what is
// left. On Fashion-MNIST and TMC2007 a half took more passes than a quarter, by a few up to 15 in a hundred, and an
// eighth no fewer; sixteen workers that took more than half took up to 20 passes for 8.
type rounds struct{ least, block int } // examples of a worker's round, whole blocks; 0: all is for one worker

const roundsAnEpoch = 4

// rounds returns the rounds of n examples of d features, with the numbers that sparse ones hold, 0 for dense ones.
func (p *Problem[T]) rounds(o Options, n, d, stored int) rounds {
	block, _ := p.blocks(o, n, d)
	least := cmp.Or(o.Round, p.leastRound(n, d, stored))
	return rounds{shape.Padded(least, block), block}
}

// leastRound returns the number of examples for which a round pays: as many as make up for waking a goroutine, and
// enough that what they do to W costs more than to copy and to add it.
func (p *Problem[T]) leastRound(n, d, stored int) int {
	held := float64(d) // numbers of an example
	if stored > 0 {
		held = 1 + float64(stored)/float64(n)
	}
	factor, _ := p.Factor.Matrix()
	numbers := held*float64(p.Factor.Cols(p.Outputs)) + float64(factor.Rows)*float64(factor.Cols) +
		float64(p.Coupling.Rows)*float64(p.Coupling.Cols)
	// in ns: multiplications and additions, 20 a ns, for the scores and for W; the loss; waking a goroutine takes 30000
	visit, least := 4*numbers/20+20*float64(p.Outputs)+200, 1e6
	return int(min(max(24*float64(d)/held, least/visit), float64(n+1)))
}

// sharing returns how many of some workers take a round where some examples are left of an epoch: as many as it pays.
func (r rounds) sharing(workers, left int) int {
	if r.least == 0 {
		return 1
	}
	return min(workers, left/(roundsAnEpoch*r.least))
}

// size returns the number of examples of a worker's next round where some are left of an epoch, which several workers
// share.
func (r rounds) size(workers, left int) int {
	return left / (roundsAnEpoch * workers) / r.block * r.block
}

// most returns the number of examples that a worker's round has at most. Where q < workers share what is left, that is
// less than 4 (q+1) times the least round, a worker takes less than (q+1)/q of this, and q is 2 at least.
func (r rounds) most(workers, n int) int {
	return max(r.size(workers, n), r.size(2, min(3*roundsAnEpoch*r.least-1, n)))
}

// advance visits some of the examples that are due, from the given place, puts them into the lists of their next
// visits, and returns the next place. Where few are left they are for one worker.
func (s *linearSolver[T]) advance(from int) (to int) {
	left := len(s.due) - from
	share := s.rounds.sharing(len(s.workers)-1, left)
	if share >= 2 {
		team, size := s.workers[1:1+share], s.rounds.size(share, left)
		parallel.Do(len(team), len(team), func(_, q int) {
			team[q].visitRound(min(from+q*size, len(s.due)), min(from+(q+1)*size, len(s.due)))
		})
		s.join(team)
		to = min(from+len(team)*size, len(s.due))
	} else {
		w := s.workers[0]
		switch {
		case w.byRows != nil:
			to = min(from+loss.RowsAtOnce, len(s.due))
			w.updateRows(s.due[from:], s.moved[from:to])
			return to
		case s.one != nil:
			to = min(from+loss.RowsAtOnce, len(s.due))
			w.updateNumbers(s.due[from:], s.moved[from:to])
		default:
			to = min(from+w.block.size(), len(s.due))
			w.update(s.due[from:to], s.due[to:], s.moved[from:to])
		}
	}
	for p, i := range s.due[from:to] {
		s.schedule.visited(i, s.epoch, s.moved[from+p])
	}
	return to
}

// visitRound visits the examples that are due from one place to another with the worker's own W, which is then the
// change of W.
func (w *worker[T]) visitRound(from, to int) {
	copy(w.weights.Data, w.s.weights.Data)
	w.before, w.quadraticBefore, w.kept = w.dual, w.quadratic, 0
	w.round, w.roundMoved = w.s.due[from:to], w.s.moved[from:to]
	if w.s.one != nil {
		w.updateNumbers(w.round, w.roundMoved)
		from = to
	}
	for next := from; from < to; from = next {
		next = min(from+w.block.size(), to)
		w.update(w.s.due[from:next], w.s.due[next:to], w.s.moved[from:next])
	}
	vec.Axpy(-1, w.s.weights.Data, w.weights.Data)
	if w.s.p.coupled() {
		w.own = w.ownForm()
	}
}

// join takes a part t of the moves of all workers. Each worker has raised the dual objective by moves of its own;
// together they may go too far where they point the same way. Along all of them the sum of the dual terms is concave,
// at least what lies between its ends, and the quadratic term is known, so that the objective rises by
//
//	gain(t) >= t (terms after - terms before - <ΔA, X W>) - t²/2 <ΔA, X D>
//
// with D the sum of the changes of W; without a coupling that is t (terms after - terms before - <W, D>) - t²/2 |D|².
// Where t = 1 has next to the most that this bound promises, all is taken: a part costs a visit of each example.
// Otherwise t is the best, and at least the mean's, for which the objective rises for certain.
func (s *linearSolver[T]) join(team []*worker[T]) {
	sum, terms := team[0].weights.Data, 0.0
	for q, w := range team {
		terms += w.dual - w.before
		if q > 0 {
			vec.Axpy(1, w.weights.Data, sum)
		}
	}
	linear, square := s.quadraticAlong(team)
	t := 1.0
	if best := (terms - linear) / square; best < .9 { // gain(1)/gain(best) = (2 best - 1)/best²
		t = max(best, 1/float64(len(team)))
	}
	if s.p.coupled() { // in place of what each worker alone has added
		for _, w := range team {
			w.quadratic = w.quadraticBefore
		}
		team[0].quadratic += t*linear + t*t/2*square
	}
	vec.Axpy(T(t), sum, s.weights.Data)
	if t == 1 {
		return
	}
	parallel.Do(len(team), len(team), func(_, q int) { team[q].takePart(t, s.momentum.leaps[q]) })
}

// takePart takes a part t of the moves of the worker's round, but for W. Where dual variables keep their signs, the
// kernel that extrapolates blocks moves them: it goes on by t - 1, which is back.
func (w *worker[T]) takePart(t float64, p *leap[T]) {
	bounded, _ := w.s.p.Loss.(loss.Bounded[T])
	all, known := false, -1.0 // what Bounds says of blocks of a weight, and which
	for q, i := range w.round {
		if !w.roundMoved[q] {
			continue
		}
		a, old, y, r := w.s.duals(i), w.old.Row(q), w.s.p.Labels.Of(i), w.s.ex[i].r
		w.work.Example = i
		if bounded == nil {
			for c, v := range a {
				a[c] = old[c] + T(t)*(v-old[c])
			}
		} else {
			if r != known {
				all, known = bounded.Bounds(p.most, r), r
			}
			unchecked.ExtrapolateRows(a, old, p.free, len(a), len(a), T(t-1), p.most, p.moved[:1])
		}
		if !all && (bounded == nil || !bounded.Within(a, y, r)) {
			w.s.p.Loss.Repair(a, y, r, &w.work)
		}
		w.dual += w.s.newTerm(i, &w.work)
	}
}
