package mkl

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// training alternates between a support vector machine on sum_j eta_j K^j, of the active examples, and steps of eta.
type training[T vec.Float] struct {
	c     Config
	n, m  int
	b     *kernel.Bundle[T]
	wide  *kernel.Bundle[float64] // b for certificates
	inner ascent.Problem[T]       // labels, radii, losses
	work  loss.Workspace[T]

	set     *active.Set
	part    *kernel.Bundle[T]  // of the active examples
	mix     *kernel.Mixture[T] // sum_j eta_j K^j of these
	in      *ascent.Inner[T]   // the machine on it; nil before the first epoch
	weighed bool               // mix has weights
	goal    float64            // relative gap of the active examples that ends the level, or calls for a look at the others

	weights *weights
	last    step    // what the weights at hand come from
	tol     float64 // relative gap of the machine at which the weights move

	epoch, before int // epochs; visits by machines that are gone
	steps, since  int // of the weights; epochs since the last one

	here         float64  // the relative gap of the last measure, on the active examples
	primal, dual point[T] // the best model on the active examples, the best dual variables
	estimate     solvers.Certificate
	certified
}

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

	// share is the gap of a machine as a part of the gap of the whole problem, which cannot be smaller than its own.
	share = 0.3
)

func newTraining[T vec.Float](b *kernel.Bundle[T], inner ascent.Problem[T], c Config) (*training[T], error) {
	wide, err := b.Float64()
	if err != nil {
		return nil, err
	}
	s := &training[T]{
		c: c, n: b.Len(), m: inner.Outputs, b: b, wide: wide, inner: inner, weights: newWeights(c.P, b.Kernels()),
		last: step{value: math.Inf(1)}, primal: point[T]{value: math.Inf(1)}, dual: point[T]{value: math.Inf(-1)},
	}
	var all []int
	for i, r := range inner.Radius {
		if r > 0 {
			all = append(all, i)
			s.estimate.Primal += r * s.inner.Loss.Primal(make([]T, s.m), s.inner.Labels.Of(i), &s.work)
		}
	}
	first := len(all)
	if first >= activeFrom {
		rand.New(rand.NewPCG(c.Seed, 1)).Shuffle(len(all), func(p, q int) { all[p], all[q] = all[q], all[p] })
		first = firstLevel
	}
	s.set = active.New(s.n, all, first)
	return s, nil
}

// Epoch is an epoch of the machine, and then, where its gap is small enough, a step of the weights, or of the level.
func (s *training[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	if s.in == nil {
		if err := s.activate(s.set.At()); err != nil {
			s.fail(err)
			return s.epoch, true
		}
	}
	if _, whole := s.in.Epoch(ctx); !whole {
		return s.epoch, false
	}
	s.epoch, s.since = s.epoch+1, s.since+1
	inside := s.inside()
	if inside.RelativeGap() > s.tol && s.since < mostEpochs {
		return s.epoch, true
	}
	now, gap := s.measure(), s.gap()
	s.tol = max(share*s.goal, min(s.tol, share*gap))
	if rest := s.here - inside.RelativeGap(); rest < (1-share)*s.goal { // the part of the weights is that small
		s.tol = s.goal - max(0, rest)
	}
	if gap > s.goal {
		s.move(now, inside.Gap())
	} else if err := s.widen(); err != nil {
		s.fail(err)
	}
	return s.epoch, true
}

// fail makes the estimate call for a certificate, which says what is wrong.
func (s *training[T]) fail(err error) { s.broken, s.estimate.Primal = err, math.NaN() }

// Visits counts those of all machines.
func (s *training[T]) Visits() (visits, n int) {
	if s.in != nil {
		visits, _ = s.in.Visits()
	}
	return s.before + visits, s.n
}

// Estimate is that of all examples, as far as it is known.
func (s *training[T]) Estimate() solvers.Certificate { return s.estimate }

// inside is the certificate of the machine, of the best multiples where that may be what its tolerance asks for: in float32
// rounding alone may keep it from that, where C is large.
func (s *training[T]) inside() solvers.Certificate {
	c := s.in.Estimate()
	if gap := c.RelativeGap(); gap <= s.tol || gap > 10*s.tol {
		return c
	}
	terms, at := s.in.Terms(), s.set.At()
	square := 2 * (terms - c.Dual)
	_, c.Primal = s.bestPrimal(square, at, s.in.Scores)
	_, c.Dual = bestDual(terms, square, s.reach(at, s.in.Duals().Row))
	return c
}

// gap is the relative gap of the active examples.
func (s *training[T]) gap() float64 {
	return solvers.Certificate{Primal: s.primal.value, Dual: s.dual.value}.RelativeGap()
}

// measure computes both objectives of the whole problem at the machine's end, and keeps the best of each. It returns the
// primal one without a multiple.
func (s *training[T]) measure() step {
	at, a, log := s.set.At(), s.in.Duals(), slices.Clone(s.weights.log)
	forms := s.part.Forms([]vec.Matrix[T]{a}, s.c.Workers)[0]
	here := func(times, value float64) point[T] {
		p := point[T]{value, times, at, vec.NewMatrix[T](a.Rows, a.Cols), log}
		copy(p.a.Data, a.Data)
		return p
	}
	square := primalNorm(s.weights.eta(), forms, s.c.P)
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
	if s.others() { // not to call for a certificate before they have been looked at
		s.estimate.Dual = min(s.estimate.Dual, s.estimate.Primal-2*s.c.Tol*math.Abs(s.estimate.Primal))
	}
	return step{value: square/2 + s.lossesAt(at, s.in.Scores)(1), log: log, forms: forms}
}

// move takes a step of the weights. The one that is known to descend leads to a primal objective that is larger than it was by
// no more than the machine's gap: where it is, the last step is taken back, and that one taken instead.
func (s *training[T]) move(now step, gap float64) {
	if now.value > s.last.value+gap && !s.last.known {
		s.last.known = true
		copy(s.weights.log, s.last.log)
		s.weights.descend(s.last.forms)
	} else {
		s.last = now
		s.weights.move(now.forms)
	}
	s.steps++
	s.weigh()
}

// weigh begins a machine with the weights as they are, from where the last one ended.
func (s *training[T]) weigh() {
	s.since = 0
	if !s.weighed || s.c.P < 2 { // at p = 2 the weights stay
		s.mix.Weigh(s.weights.eta(), s.c.Workers)
		s.weighed = true
	}
	s.in.Renew(s.tol)
}
