package alternate

import (
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

const (
	// An example is taken in where it would have a loss if all scores were smaller by such a factor. The previous
	// level's model gives too many one, and each makes K larger. This level's model is looked at by all others, and the
	// ones that have none by nearReserve are not looked at again before a certificate.
	freshReserve, restReserve, nearReserve = 0.95, 1.05, 1.15
)

// others reports whether there are examples that are not active.
func (s *Solver[T]) others() bool { return len(s.levels.At()) < len(s.levels.All()) }

// enter sets the goal of the level. Where all examples are active, as at the last level alone, there are none to look
// at.
func (s *Solver[T]) enter() {
	s.levels.Enter(s.p.Tol)
	if !s.others() {
		s.levels.Goal = 0.9 * s.p.Tol
	}
}

// Activate makes these examples the active ones, and no others: those with dual variables that are not 0 are among
// them.
func (s *Solver[T]) Activate(at []int) error {
	var kept vec.Matrix[T]
	places := make([]int, len(at)) // among the examples that were active, or -1
	for p, i := range at {
		places[p] = -1
		if s.in != nil {
			places[p] = s.levels.Place(i)
		}
	}
	if s.in != nil {
		visits, _ := s.in.Visits()
		s.before, kept = s.before+visits, s.in.Duals()
	}
	if before := s.levels.At(); s.in == nil || len(before) > len(at) || !slices.Equal(before, at[:len(before)]) {
		s.mix = nil // memory for what comes
	}
	s.in, s.part = nil, nil
	s.levels.Activate(at)
	s.part = s.b
	if len(at) < s.n {
		s.part = s.b.Compact(at)
	}
	var err error
	if s.mix != nil {
		s.mix, err = s.mix.Extend(s.part, s.p.Workers)
	} else if s.mix, err = s.part.Mix(min(len(at)+len(at)/8, len(s.levels.All()))); err == nil {
		s.mix.Weigh(s.weights.eta(), s.p.Workers)
	}
	if err != nil {
		return err
	}
	inner := *s.inner
	inner.Labels.One, inner.Radius = family.Pick(s.inner.Labels.One, at), family.Pick(s.inner.Radius, at)
	s.in = ascent.NewInner(inner, s.mix, ascent.Options{Options: solvers.Options{
		Seed: s.p.Seed + uint64(s.epoch), Workers: s.p.Workers}})
	for p, q := range places {
		if q >= 0 {
			s.in.Set(p, kept.Row(q))
		}
	}
	s.enter()
	s.begin()
	return nil
}

// begin starts the machine on new examples, or on dual variables that are set. Where the weights have been good enough
// for other examples it goes all the way at once.
func (s *Solver[T]) begin() {
	s.primal.value, s.last = infinite, step{value: infinite} // of the model that was certified the variables stay
	s.in.Renew(firstTol)
	tol := min(firstTol, share*max(s.levels.Goal, s.in.Estimate().RelativeGap()))
	if s.settled() {
		tol = s.levels.Goal - s.rest
	}
	s.expect(tol)
}

// Support returns the active examples with dual variables that are not 0, at hand or where the dual objective is best.
func (s *Solver[T]) Support() (some []int) {
	best := make([]bool, s.n)
	for p, i := range s.dual.at {
		best[i] = !isZero(s.dual.a.Row(p))
	}
	for p, i := range s.levels.At() {
		if best[i] || !isZero(s.in.Duals().Row(p)) {
			some = append(some, i)
		}
	}
	return some
}

// Gap: see active.Trainee.
func (s *Solver[T]) Gap() float64 { return s.estimate.RelativeGap() }

// Look: see active.Trainee. At the last level the losses of all others complete the estimate; the ones that were looked
// at before, and were far from a loss, are left out.
func (s *Solver[T]) Look(rows []int, fresh bool) (wanted []int, err error) {
	if fresh {
		wanted, _, _, err = s.look(rows, freshReserve)
		return wanted, err
	}
	if !s.others() {
		return nil, nil
	}
	if s.looked {
		rows = s.near
	}
	wanted, near, outside, err := s.look(rows, restReserve)
	if err != nil {
		return nil, err
	}
	s.looked, s.near = true, near
	s.estimate.Primal, s.estimate.Dual, s.partial = s.primal.value+outside, s.dual.value, false
	return wanted, nil
}

// look computes the scores of some examples by the best model, and returns those that would have a loss if the scores
// were smaller by the factor reserve, of the others those that would have one by the factor nearReserve, and the sum of
// the losses.
func (s *Solver[T]) look(rows []int, reserve float64) (wanted, near []int, losses float64, err error) {
	scores := vec.NewMatrix[T](len(rows), s.m)
	model, err := bundle.NewCombination(s.b, s.primal.eta(), s.primal.coefficients(s.n), nil)
	if err != nil {
		return nil, nil, 0, err
	}
	model.ScoresOf(scores, s.b, rows, nil, s.p.Workers)
	smaller := make([]T, s.m)
	for p, i := range rows {
		f, y := scores.Row(p), s.inner.Labels.Of(i)
		losses += s.inner.Radius[i] * s.inner.Loss.Primal(f, y, &s.work)
		lossAt := func(reserve float64) bool {
			for c, v := range f {
				smaller[c] = v / T(reserve)
			}
			return s.inner.Loss.Primal(smaller, y, &s.work) > 0
		}
		if lossAt(reserve) {
			wanted = append(wanted, i)
		} else if lossAt(nearReserve) {
			near = append(near, i)
		}
	}
	return wanted, near, losses, nil
}

// Reconsider follows a certificate that is not good enough: it has the losses of all examples.
func (s *Solver[T]) Reconsider() bool {
	if s.in == nil {
		return true
	}
	s.levels.Goal, s.looked = min(s.levels.Goal/2, 0.4*s.p.Tol), false
	var wanted []int
	for _, i := range s.lossy {
		if s.levels.Place(i) < 0 {
			wanted = append(wanted, i)
		}
	}
	if len(wanted) > 0 {
		s.levels.Finish()
		goal := s.levels.Goal
		if err := s.levels.Take(s, wanted); err != nil {
			s.fail(err)
		}
		s.levels.Goal = min(s.levels.Goal, goal)
	}
	return true
}
