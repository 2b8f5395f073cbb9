package toprank

import (
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/vec"
)

// featureLevels is the policy of a training on features, whose levels each start afresh.
var featureLevels = active.Policy{From: 16384, First: 4096, Loose: 2e-2, Look: 0.7}

// featureReserve is the part of a margin by which scores may be off before a level misses an example.
const featureReserve = 0.3

// newLevels returns the levels of a training on d features, or nil where it takes all examples at once: within queries,
// and where there are few. A level of fewer than some d examples tells little of all.
func (o *objective) newLevels(d int) (*active.Levels, error) {
	n, policy := len(o.Positive), featureLevels
	policy.First = max(policy.First, 8*d)
	if o.Within() || n < max(policy.From, 4*policy.First) {
		return nil, nil
	}
	return o.levels(policy, true)
}

// levels returns the levels of a training on all examples: one where they do not pay.
func (o *objective) levels(policy active.Policy, pay bool) (*active.Levels, error) {
	order, err := solvers.Strata{Y: classes(o.Positive)}.Order(o.Seed)
	return active.NewLevels(policy, o.Tol, len(o.Positive), order, pay), err
}

// enter begins the training on some examples of the level, or on all where these are not half as many or have no class.
func (s *byFeatures[T]) enter(rows []int) error {
	if 2*len(rows) <= len(s.levels.Level()) && s.activate(rows) == nil {
		return nil
	}
	s.levels.Finish()
	return s.activate(s.levels.Level())
}

// activate makes some examples the active ones. The training on them starts afresh.
func (s *byFeatures[T]) activate(rows []int) error {
	rows = slices.Clone(rows)
	slices.Sort(rows)
	s.levels.Activate(rows)
	s.levels.Goal = max(s.Tol, s.levels.Loose)
	x := s.x
	if len(rows) < len(s.f) {
		x = design.Subset(x, rows)
	}
	s.rows = make([][]int, len(rows))
	for p := range rows {
		s.rows[p] = rows[p : p+1]
	}
	return s.begin(wider(x), s.rows)
}

// mostCopied is up to how many numbers are converted to float64 once, instead of in each of the ten passes of a step:
// 512 MB.
const mostCopied = 1 << 26

// wider returns x in float64.
func wider[T vec.Float](x design.Matrix[T]) design.Matrix[float64] {
	if n, d := x.Dims(); n > mostCopied/max(d, 1) {
		return design.Float64(x)
	}
	return design.CopiedFloat64(x)
}

// copied returns the most examples that wider copies.
func copied[T vec.Float](x design.Matrix[T]) int {
	_, same := x.(design.Matrix[float64])
	if _, dense := x.(design.DenseRows[T]); same || !dense {
		return 0
	}
	n, d := x.Dims()
	return min(n, mostCopied/max(d, 1))
}

// look sets the estimate by the scores of the active examples, with |w|² = norm. While there are others it keeps the
// gap above the tolerance, so that no certificate is due, until the level reaches its goal; then it widens the level.
func (s *byFeatures[T]) look(alpha, beta []float64, norm float64) error {
	plus, _ := s.Split(s.levels.At(), alpha)
	_, minus := s.Split(s.levels.At(), beta)
	positive, ranked := s.Split(s.levels.At(), s.f)
	s.estimate, _ = s.part().Judge(plus, positive, minus, ranked, norm)
	s.partial = s.others()
	switch {
	case !s.partial:
		return nil
	case s.estimate.RelativeGap() <= s.levels.Goal:
		return s.widen(alpha, beta, norm)
	}
	s.withhold()
	return nil
}

// widen scores all examples. At the last level the estimate is then for all of them, and if the inactive ones have much
// of the gap those that violate the optimum become active. Before it the next level begins, with the examples that may
// have a dual variable above 0.
func (s *byFeatures[T]) widen(alpha, beta []float64, norm float64) error {
	own := s.estimate.RelativeGap()
	s.scoreAll(design.Float64(s.x), alpha, beta)
	s.visits += len(s.f)
	if !s.levels.Last() {
		s.levels.Advance()
		return s.enter(s.wanted(s.levels.Level()))
	}
	s.estimate.Primal, _ = s.Primal(s.f, norm)
	s.partial = false
	gap := s.estimate.RelativeGap()
	if gap <= 0.9*s.Tol {
		return nil
	}
	if more := s.wanted(s.levels.Others()); gap-own > s.Tol/3 && len(more) > 0 {
		return s.enter(slices.Concat(s.levels.At(), more))
	}
	s.levels.Goal = min(s.levels.Goal/2, s.levels.Look*s.Tol)
	return nil
}

// wanted returns the examples that have a dual variable above 0 by their scores, or would if these were off by the
// reserve.
func (s *byFeatures[T]) wanted(rows []int) (some []int) {
	t, top := s.ends()
	for _, i := range rows {
		if s.Wants(i, s.f[i], t, featureReserve/max(s.config.Theta1, s.config.Theta2), top) {
			some = append(some, i)
		}
	}
	return some
}

// levelFields are what a state holds of a level, besides which examples are active.
func (s *byFeatures[T]) levelFields(do func(tag string, of ...any)) {
	do("look", &s.visits, &s.partial)
	do("goal", &s.levels.Goal)
}

// loadLevel reads which examples are active, and begins the training on them.
func (s *byFeatures[T]) loadLevel(r *container.Reader) {
	s.levels.Load(r)
	s.levelFields(r.Fields)
	goal := s.levels.Goal
	if !(goal > 0) {
		r.Corrupt("a goal of %v", goal)
	}
	if r.Err() != nil {
		return
	}
	if err := s.activate(s.levels.At()); err != nil {
		r.Corrupt("%v", err)
	}
	s.levels.Goal = goal
}
