package alternate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// Solver is a training under way.
type Solver[T vec.Float] struct {
	train.Trust
	p     Problem[T]
	n, m  int
	b     *bundle.Bundle[T]
	wide  *bundle.Bundle[float64] // b for certificates
	inner *ascent.Problem[T]      // labels, radii, losses
	work  loss.Workspace[T]

	levels  *active.Levels
	weights *weights
	last    step // what the weights at hand come from

	machine[T]
	looks
	bounds[T]
	counts
	certified
}

// machine is the support vector machine at hand, on the active examples.
type machine[T vec.Float] struct {
	part   *bundle.Bundle[T]  // of these examples
	mix    *bundle.Mixture[T] // sum_j eta_j K^j of these
	in     *ascent.Inner[T]   // trains on it; nil before the first epoch
	tol    float64            // its relative gap at which the weights move
	since  int                // its epochs
	midway bool               // it has not ended
	ended  bool               // it has, and what follows that has not
}

// looks are at the examples that are not active.
type looks struct {
	looked bool // at all of them: only those in near are looked at again
	near   []int
}

// bounds are the primal and dual values that are known.
type bounds[T vec.Float] struct {
	primal, dual point[T] // the best model on the active examples, the best dual variables
	here         float64  // the relative gap of the last measure, on the active examples
	rest         float64  // what of it is not the machine's: the part of the weights
	estimate     solvers.Certificate
	partial      bool // that is of the active examples, and there are others
}

// counts are of all machines.
type counts struct {
	epoch, steps int // machines, steps of the weights
	rounds       int // epochs
	before       int // visits by machines that are gone
}

// Steps returns the number of steps of the weights, and of epochs of all machines.
func (s *Solver[T]) Steps() (steps, rounds int) { return s.steps, s.rounds }

// step is where a step of the weights began.
type step struct {
	value float64   // of the primal objective; +Inf: there was no step yet
	log   []float64 // of eta
	forms []float64 // <A, K^j A>
	known bool      // the step was the one that is known to descend
}

// point is a state of dual variables and weights, and one of the objectives there.
type point[T vec.Float] struct {
	value float64
	times float64       // the multiple of A that has this value
	at    []int         // examples whose dual variables may not be 0,
	a     vec.Matrix[T] // and these
	log   []float64     // of eta
}

const (
	// firstTol is the gap of the first machine, mostEpochs the most epochs of one between two steps of the weights.
	firstTol, mostEpochs = 0.3, 100

	// momentumFrom is how many epochs of a machine have no momentum: soon the weights may move, and with them K, and
	// momentum cannot go on from the scores of another K.
	momentumFrom = 3

	// share is the gap of a machine as a part of the gap of the whole problem, which cannot be smaller than its own.
	share = 0.3
)

// New returns a training that has taken no step yet. Errors name no package: the family puts its own before them.
func New[T vec.Float](p Problem[T]) (*Solver[T], error) {
	wide, err := p.Bundle.Float64()
	if err != nil {
		return nil, err
	}
	s := &Solver[T]{
		p: p, n: p.Bundle.Len(), m: p.Machine.Outputs, b: p.Bundle, wide: wide,
		weights: newWeights(p.P, p.Bundle.Kernels()), last: step{value: infinite},
		bounds: bounds[T]{primal: point[T]{value: infinite}, dual: point[T]{value: -infinite}, rest: infinite},
	}
	s.inner = &s.p.Machine
	if p.ActiveFrom == 0 {
		s.p.ActiveFrom = active.Many.From
	}
	var all []int
	for i, r := range s.inner.Radius {
		if r > 0 {
			all = append(all, i)
			s.estimate.Primal += r * s.inner.Loss.Primal(make([]T, s.m), s.inner.Labels.Of(i), &s.work)
		}
	}
	policy, pays := active.Many, len(all) >= s.p.ActiveFrom
	if pays {
		rand.New(rand.NewPCG(p.Seed, 1)).Shuffle(len(all), func(p, q int) { all[p], all[q] = all[q], all[p] })
		policy.First = min(policy.First, s.p.ActiveFrom/4)
	}
	s.levels = active.NewLevels(policy, s.p.Tol, s.n, all, pays)
	return s, nil
}

// Epoch is a machine, up to where its gap is small enough, and then a step of the weights, or of the level, or none
// where it is the machine that has to go on: to evaluate all kernels costs more than its epochs.
func (s *Solver[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	if s.in == nil {
		release := train.Hold(ctx)
		err := s.Activate(s.levels.At())
		release()
		if err != nil {
			s.fail(err)
			return s.epoch, true
		}
	}
	for s.midway = true; !s.ended; {
		if visits, n := s.Visits(); s.since > 0 && visits/n >= s.p.Epochs {
			return s.epoch, true // as it is, so that more passes go on from here, and as many as before do nothing
		}
		s.in.Momentum(s.since >= momentumFrom)
		if _, whole := s.in.Epoch(ctx); !whole {
			return s.epoch, false
		}
		s.rounds, s.since = s.rounds+1, s.since+1
		s.ended = s.inside().RelativeGap() <= s.tol || s.since >= mostEpochs
	}
	defer train.Hold(ctx)()
	s.follow()
	return s.epoch, true
}

// follow is what follows the end of a machine.
func (s *Solver[T]) follow() {
	inside := s.inside()
	s.midway, s.ended = false, false
	s.epoch++
	now, gap := s.measure(), s.gap()
	s.rest = max(0, s.here-s.atBest(s.in.Estimate()).RelativeGap())
	switch tol := s.tol; {
	case gap <= s.levels.Goal && (s.levels.Last() || s.settled()):
		if err := s.levels.Widen(s, s.p.Tol); err != nil {
			s.fail(err)
		}
	case s.settled() && inside.RelativeGap() <= tol && gap > s.levels.Goal:
		s.expect(s.levels.Goal - s.rest)
	default:
		s.tol = max(share*s.levels.Goal, min(tol, share*gap))
		s.move(now, inside.Gap())
	}
}

// settled reports whether the weights' part of the gap is so small that the machine alone can reach the goal: on a
// level before the last one, where steps of the weights are cheap, the last level's as well.
func (s *Solver[T]) settled() bool {
	part := 0.8
	if !s.levels.Last() {
		part = 0.05
	}
	return s.rest < part*s.levels.Goal
}

// expect lets the machine go on to another gap.
func (s *Solver[T]) expect(tol float64) {
	s.since, s.tol = 0, tol
	s.in.Resume(tol)
	s.in.Estimate()
}

// fail makes the estimate NaN: a certificate is due, which says what is wrong.
func (s *Solver[T]) fail(err error) { s.broken, s.estimate.Primal = err, math.NaN() }

// Visits counts the visits of all machines.
func (s *Solver[T]) Visits() (visits, n int) {
	if s.in != nil {
		visits, _ = s.in.Visits()
	}
	return s.before + visits, s.n
}

// Estimate is the certificate of all examples, as far as it is known.
func (s *Solver[T]) Estimate() solvers.Certificate { return s.estimate }

// inside is the certificate of the machine, of the best multiples where that may be what its tolerance asks for: in
// float32 rounding alone may keep it from that, where C is large.
func (s *Solver[T]) inside() solvers.Certificate {
	c := s.in.Estimate()
	if gap := c.RelativeGap(); gap <= s.tol || gap > 10*s.tol {
		return c
	}
	return s.atBest(c)
}

// atBest returns a certificate of the machine at the best multiples.
func (s *Solver[T]) atBest(c solvers.Certificate) solvers.Certificate {
	terms, at := s.in.Terms(), s.levels.At()
	square := 2 * (terms - c.Dual)
	_, c.Primal = s.bestPrimal(square, at, s.in.Scores)
	_, c.Dual = bestDual(terms, square, s.reach(at, s.in.Duals().Row))
	return c
}

// gap is the relative gap of the active examples.
func (s *Solver[T]) gap() float64 {
	return solvers.Certificate{Primal: s.primal.value, Dual: s.dual.value}.RelativeGap()
}

// measure computes both objectives of the whole problem at the machine's end, each at its best multiple, and keeps the
// best.
func (s *Solver[T]) measure() step {
	at, a, log := s.levels.At(), s.in.Duals(), slices.Clone(s.weights.log)
	forms := s.part.Forms([]vec.Matrix[T]{a}, s.p.Workers)[0]
	here := func(times, value float64) point[T] {
		p := point[T]{value, times, at, vec.NewMatrix[T](a.Rows, a.Cols), log}
		copy(p.a.Data, a.Data)
		return p
	}
	square := primalNorm(s.weights.eta(), forms, s.p.P)
	up, primal := s.bestPrimal(square, at, s.in.Scores)
	if primal < s.primal.value {
		s.primal = here(up, primal)
	}
	down, dual := bestDual(s.in.Terms(), dualNorm(forms, s.weights.q), s.reach(at, a.Row))
	if dual > s.dual.value {
		s.dual = here(down, dual)
	}
	s.here = solvers.Certificate{Primal: primal, Dual: dual}.RelativeGap()
	s.estimate = solvers.Certificate{Primal: s.primal.value, Dual: s.dual.value}
	if s.partial = s.others(); s.partial { // no certificate is due before they have been looked at
		s.estimate.Dual = min(s.estimate.Dual, s.estimate.Primal-2*s.p.Tol*math.Abs(s.estimate.Primal))
	}
	return step{value: primal, log: log, forms: forms}
}

// move takes a step of the weights. The one that is known to descend leads to a primal objective that is larger than it
// was by no more than the machine's gap: where it is, the last step is taken back, and that one taken instead.
func (s *Solver[T]) move(now step, gap float64) {
	if now.value > s.last.value+gap && !s.last.known {
		s.last.known = true
		copy(s.weights.log, s.last.log)
		s.weights.descend(s.last.forms)
	} else {
		s.last = now
		s.weights.move(now.forms)
	}
	s.steps++
	s.since = 0
	if s.p.P < 2 { // at p = 2 the weights stay
		s.mix.Weigh(s.weights.eta(), s.p.Workers)
	}
	s.in.Renew(s.tol)
}
