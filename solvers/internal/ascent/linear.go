package ascent

import (
	"context"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// linearSolver trains on features.
type linearSolver[T vec.Float] struct {
	common[T]
	d int // with the constant feature

	weights    weights[T] // Xᵀ A R up to rounding, and the prior
	base       float64    // |W0|²/2, of W0 in numbers of T
	schedule   *schedule
	due        []int   // the examples of the epoch
	order      order   // how that is shuffled
	moved      []bool  // which of them moved
	from       int     // how many of them have been visited; len(due) between epochs
	bound      float64 // see Bound
	negligible float64 // a g_i that is not worth an update

	workers []*worker[T]    // the first one on W itself, and those that take rounds on copies of it
	size    int             // of a block
	passes  int             // over it
	grouped loss.Grouped[T] // what visits sparse examples, or nil: see updateGroup
	one     loss.One[T]     // what visits examples of one output, or nil: see updateNumber
	coupled coupledVisits[T]
	rounds  rounds // of several of them
	exact   *certifier[T]
}

// measured is all examples and what trainings ask of them: groups of outputs share it.
type measured[T vec.Float] struct {
	x      design.Matrix[T] // as they are
	rows   rows[T]          // as steps see them
	h      []T              // the squared norms of the rows
	stored int              // the numbers that they hold, zeros of dense ones too

	mean  []T       // what rows are less than x, nil: nothing
	sizes []float64 // where there is an offset, the norms of x
}

// measure sets what p lacks for steps, where there is an offset.
func measure[T vec.Float](p *Problem[T]) (e measured[T], err error) {
	n, d := p.size()
	e = measured[T]{x: p.X, h: make([]T, n), stored: n * d}
	if p.Offset {
		p.X.SquaredNorms(e.h)
		if err := checkNorms(p.X, e.h, d-1); err != nil {
			return e, err
		}
		p.centre(&e)
	}
	e.rows = newRows(p.X, p)
	e.rows.x.SquaredNorms(e.h)
	if err := checkNorms(e.rows.x, e.h, d); err != nil {
		return e, err
	}
	if e.rows.sparse != nil {
		e.stored = e.rows.stored(n)
	}
	return e, nil
}

func newLinearSolver[T vec.Float](p Problem[T], o Options) (*linearSolver[T], error) {
	e, err := measure(&p)
	if err != nil {
		return nil, err
	}
	return newLinearSolverOf(p, o, &e)
}

// newLinearSolverOf is newLinearSolver of examples that have been measured.
func newLinearSolverOf[T vec.Float](p Problem[T], o Options, e *measured[T]) (*linearSolver[T], error) {
	n, d := p.size()
	m, r := p.Outputs, e.rows
	if r.sparse != nil {
		if err := checkFeatures(d, padded[T](max(m, p.Factor.Cols(m))), e.stored); err != nil {
			return nil, err
		}
	}
	size, passes := p.blocks(o, n, d)
	stride, wide, grouped := m, p.Factor.Cols(m), groupVisits(&p, &r, size)
	if grouped != nil {
		stride, wide = loss.GroupSize, loss.GroupSize
	}
	s := &linearSolver[T]{
		common: newCommon(p, o, stride, e.h), d: d, due: make([]int, 0, n), moved: make([]bool, n), size: size,
		passes: passes, grouped: grouped, coupled: newCoupledVisits(&p, n),
	}
	s.schedule = newSchedule(s.ex)
	s.order = newOrder[T](&r, n)
	if s.order.due != nil && alike(r.dense, n) {
		s.order = order{}
	}
	for i, ex := range s.ex {
		if ex.r > 0 {
			s.schedule.at(i, 1)
		}
	}
	for i := range p.Labels.Masks() {
		s.ex[i].labels = uint16(p.Labels.Masks()[i])
	}
	s.weights = newWeights[T](d, wide, s.size)
	s.setOne()
	s.momentum = newMomentum(n, d, m, s.cols, e.stored, s.size, &s.weights.Matrix)
	if p.coupled() { // see coupling.form; a visit is slower for as many operations than a product of matrices
		s.momentum.seldom(2 * float64(d) * float64(m) / float64(max(e.stored, 1)))
	}
	s.beginOffset(e)
	s.setBase()
	s.makeWorkers(r, o.Workers)
	s.exact = newCertifier(s, e.x)
	return s, nil
}

// Weights returns a copy of W, with one more row for the constant feature if there is one.
func (s *linearSolver[T]) Weights() vec.Matrix[T] {
	w := vec.NewMatrix[T](s.d, s.cols)
	s.weights.copyTo(w)
	if s.offset.on {
		w.Row(s.d - 1)[0] = T(s.offset.b)
	}
	if s.p.Factor != nil {
		return s.outputs(w)
	}
	return w
}

// Zero: see train.Certified. Its sums are Certify's, part by part.
func (s *linearSolver[T]) Zero() solvers.Certificate {
	if s.p.hasPrior() && !s.offset.on {
		return s.atPrior()
	}
	losses, dual := 0.0, 0.0
	for _, p := range s.exact.parts {
		l, d := s.p.zero(p.from, p.to)
		losses, dual = losses+l, dual+d
	}
	return s.zeroOffset(solvers.Certificate{Primal: s.p.Lambda * losses, Dual: s.p.Lambda * dual})
}

// PrimalVariables returns W.
func (s *linearSolver[T]) PrimalVariables() (train.Variables[T], error) {
	return variables(s.Weights()), nil
}

// DualVariables returns nil: visits and rounds never let the dual value fall. With an offset balancing may.
func (s *linearSolver[T]) DualVariables() *train.Variables[T] {
	if !s.offset.on {
		return nil
	}
	a := variables(s.a)
	return &a
}

func (s *linearSolver[T]) Fits(primal, dual train.Variables[T]) bool {
	return primal.Sized(s.d, s.m) && (dual.None() || s.offset.on && dual.Sized(s.n, s.m))
}

// Epoch visits the examples that are due, in random order: Algorithm 1 of Lapin, Hein and Schiele (Top-k Multiclass
// SVM), lines 5-11, Prox-SDCA.
//
//	between epochs     A, W <- beyond where the last epoch went, if the dual value stays: see momentum
//	for each i due     s = Wᵀ x_i;  a_i <- its optimum at s, by delta;  W += x_i deltaᵀ
//	                   next visit: in the next epoch if a_i moved, later the more often it did not
func (s *linearSolver[T]) Epoch(ctx context.Context) (epoch int, whole bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	if s.from == len(s.due) {
		s.extrapolate()
		s.recentre()
		s.epoch++
		s.due, s.from = s.schedule.take(s.epoch, s.due[:0]), 0
		s.order.shuffle(s.due, &s.random)
	}
	for s.from < len(s.due) {
		if ctx.Err() != nil {
			return s.epoch, false
		}
		if s.size == 1 && s.one == nil && s.rounds.sharing(2, len(s.due)-s.from) < 2 {
			i, next, w := s.due[s.from], s.due[s.from+1:], s.workers[0]
			if len(next) > 0 {
				w.prefetch(next[0])
			}
			if len(next) > 1 {
				w.rows.announce(next[1])
			}
			moved := false
			if s.grouped != nil {
				moved = w.updateGroup(i)
			} else {
				moved = w.updateOne(i)
			}
			s.schedule.visited(i, s.epoch, moved)
			s.from++
			continue
		}
		s.from = s.advance(s.from)
	}
	for _, w := range s.workers {
		s.collect(&w.counts)
	}
	if !s.p.coupled() {
		s.quadratic = s.fromWeights()
	}
	if s.offset.on {
		b, _ := s.excess()
		s.offset.b = b - s.alongMean()
	}
	s.setNegligible(magnitude(s.Estimate()))
	return s.epoch, true
}

// setNegligible sets the gap of an example that is not worth an update, where the objective is about as large as
// primal.
func (s *linearSolver[T]) setNegligible(primal float64) {
	share := 0.3
	if s.momentum.doubtful() { // what smaller moves gain is rounding, and all of them together move W to and fro
		share = 0.9
	}
	s.negligible = share * s.o.Tol * primal / (s.p.Lambda * float64(s.n))
}

// Visits counts the visits of an epoch that is not over, too.
func (s *linearSolver[T]) Visits() (visits, n int) {
	visits = s.visits
	for _, w := range s.workers {
		visits += w.visits
	}
	return visits, s.n
}

// Estimate guesses the certificate from what the visits have seen, some of it long ago.
func (s *linearSolver[T]) Estimate() solvers.Certificate {
	if s.offset.on {
		return s.estimateOffset()
	}
	dual := s.p.Lambda * (s.dual - s.quadratic)
	return solvers.Certificate{Primal: dual + s.p.Lambda*s.gaps, Dual: dual}
}

// Reconsider makes the examples that matter to a gap that is too large due in the next epoch.
func (s *linearSolver[T]) Reconsider() bool {
	s.reconsider(magnitude(s.certificate))
	return true
}

// reconsider is Reconsider where the objective is primal.
func (s *linearSolver[T]) reconsider(primal float64) {
	s.momentum.doubt()
	s.schedule.reconsider(s.epoch, s.o.Tol*primal/(s.p.Lambda*float64(s.n)))
}

// Start: see Solver.
func (s *linearSolver[T]) Start(duals vec.Matrix[T]) (solvers.Certificate, error) {
	certificate, err := s.start(duals, s.Certify, s.square)
	if err == nil {
		s.Reconsider()
	}
	return certificate, err
}
