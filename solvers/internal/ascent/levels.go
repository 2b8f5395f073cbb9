package ascent

import (
	"context"
	"math"

	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// An example is taken in where it has a loss, or would have one if all scores were smaller by such a factor: it may
// have one before the next look.
const freshReserve, restReserve = 1.15, 1.05

// levels is the state of a training that works on active examples: see package active.
type levels[T vec.Float] struct {
	*active.Levels
	scores  vec.Matrix[T] // of all examples, as last computed; of active examples they are in kernelSolver.f
	outside float64       // sum of the g_i of the other examples
	terms   float64       // sum of their dual terms
}

// byLevels reports whether, with some examples that have weight, it pays not to have all examples active all the time:
// where they are many, rows of K cost something, and the loss leaves the dual variables of most examples at 0. Of many
// labels one or the other is not 0 in nearly every example: there it pays only where K has no room.
func (p *Problem[T]) byLevels(o Options, examples int) bool {
	from, traits := o.ActiveFrom, p.Loss.Traits()
	if from == 0 {
		from = active.Ascent.From
	}
	switch {
	case examples < from || p.Kernel.Kernel() == nil:
		return false
	case traits.Separable:
		return o.ActiveFrom > 0 || p.Outputs <= 2 || p.Kernel.Room() < p.Kernel.Len()
	}
	return !traits.AllMove
}

// begin makes the examples of the first level active.
func (s *kernelSolver[T]) begin(wide int) {
	all := append([]int(nil), s.order...)
	s.shuffle(all)
	policy := active.Ascent
	if s.o.ActiveFrom > 0 {
		policy.First = min(policy.First, s.o.ActiveFrom)
	}
	s.levels = &levels[T]{scores: vec.NewMatrix[T](s.n, wide),
		Levels: active.NewLevels(policy, s.o.Tol, s.n, all, true)}
	s.Activate(s.levels.At())
}

// widen takes examples in where the active ones have come to their goal.
func (s *kernelSolver[T]) widen(ctx context.Context) {
	if s.inside > s.levels.Goal*s.primal {
		return
	}
	defer train.Hold(ctx)()
	s.levels.Widen(s, s.o.Tol) // no error: what is wrong shows in the estimate
}

// Support: see active.Trainee, as of the next ones.
func (s *kernelSolver[T]) Support() (support []int) {
	for _, i := range s.at {
		if !isZero(s.duals(i)) {
			support = append(support, i)
		}
	}
	return support
}

func (s *kernelSolver[T]) Gap() float64 { return s.Estimate().RelativeGap() }

// Look returns those examples that have a loss, or would have one if the scores were smaller by a factor.
func (s *kernelSolver[T]) Look(rows []int, fresh bool) (wanted []int, _ error) {
	reserve := T(restReserve)
	if fresh {
		reserve = freshReserve
	}
	if len(rows) == 0 {
		return nil, nil
	}
	scores, row := vec.NewMatrix[T](len(rows), s.cols), make([]T, s.m)
	model, err := kernel.NewExpansion(s.p.Kernel, s.held(), nil)
	if err == nil {
		err = model.ScoresWorkers(scores, s.p.Kernel.Features(), rows, s.o.Workers)
	}
	if err != nil { // numbers are not finite: by an estimate that is not, either, a certificate is due, which says so
		s.levels.outside = math.NaN()
		return nil, nil
	}
	for p, i := range rows {
		b := T(0)
		if s.offset.on {
			b = T(s.offset.b)
			scores.Row(p)[0] += b
		}
		copy(s.levels.scores.Row(i), scores.Row(p))
		f, ex := s.p.Factor.Scores(s.scores, scores.Row(p)), &s.ex[i]
		s.work.Example = i
		ex.gap = ex.r*s.p.Loss.Primal(f, s.p.Labels.Of(i), &s.work) - ex.term
		for c, v := range f {
			row[c] = (v-b)/reserve + b
		}
		if ex.gap > 0 || ex.r*s.p.Loss.Primal(row, s.p.Labels.Of(i), &s.work)-ex.term > 0 {
			wanted = append(wanted, i)
		}
	}
	s.sumOutside()
	return wanted, nil
}

// Coefficients returns A R, n-by-m.
func (s *kernelSolver[T]) Coefficients() vec.Matrix[T] {
	if s.p.Factor != nil {
		return s.outputs(s.held())
	}
	return s.held()
}

// held returns B, where the scores are K B: A R, or A Qᵀ if R is factored.
func (s *kernelSolver[T]) held() vec.Matrix[T] {
	if s.p.Factor != nil {
		u := vec.NewMatrix[T](s.n, s.cols)
		for i := range s.n {
			s.p.Factor.Move(u.Row(i), s.a.Row(i))
		}
		return u
	}
	if !s.p.coupled() {
		return s.a
	}
	b := vec.NewMatrix[T](s.n, s.m)
	vec.GemmWorkers(vec.NoTrans, vec.NoTrans, 1, s.a, s.momentum.coupling.r, 0, b, s.o.Workers)
	return b
}

// Activate makes these examples the active ones, and no others. All others have dual variables of 0. Those that are
// active come first as a rule: what is known of K for them is kept.
func (s *kernelSolver[T]) Activate(set []int) error {
	if len(set) == 0 { // a look that failed
		return nil
	}
	l := s.levels
	s.keepScores()
	now := s.k
	if s.at == nil {
		now = nil
	}
	s.k, _ = active.Activate(l.Set, s.p.Kernel, now, set, s.o.Workers) // no error: the kernel is not a given matrix
	s.at = l.At()
	s.sumOutside()
	s.f = vec.NewMatrix[T](len(s.at), l.scores.Cols)
	s.order = s.order[:0]
	for p, i := range s.at {
		copy(s.f.Row(p), l.scores.Row(i))
		s.order = append(s.order, p)
	}
	s.from = len(s.order)
	s.momentum.anew()
	s.enter()
	s.Estimate()
	return nil
}

// sumOutside adds up what is known of the examples that are not active.
func (s *kernelSolver[T]) sumOutside() {
	l := s.levels
	if l == nil {
		return
	}
	l.outside, l.terms = 0, 0
	for _, i := range l.All() {
		if l.Place(i) < 0 {
			l.outside += s.ex[i].gap
			l.terms += s.ex[i].term
		}
	}
}

// keepScores copies the active examples' scores into levels.scores.
func (s *kernelSolver[T]) keepScores() {
	for p, i := range s.at {
		copy(s.levels.scores.Row(i), s.f.Row(p))
	}
}

// scoresOf is where the scores of example i are kept.
func (s *kernelSolver[T]) scoresOf(i int) []T {
	if s.levels == nil {
		return s.f.Row(i)
	}
	if p := s.levels.Place(i); p >= 0 {
		return s.f.Row(p)
	}
	return s.levels.scores.Row(i)
}

// beginAt makes active the examples with a loss or a dual variable to start from: after a certificate of these.
func (s *kernelSolver[T]) beginAt() {
	l := s.levels
	l.Finish()
	l.Enter(s.o.Tol)
	var set []int
	for _, i := range l.All() {
		if s.ex[i].gap > 0 || !isZero(s.duals(i)) {
			set = append(set, i)
		}
	}
	s.Activate(set)
}

// reconsider follows a certificate that is not good enough: it has the scores and the gaps of all examples.
func (s *kernelSolver[T]) reconsider() {
	l := s.levels
	l.Finish()
	l.Goal = min(l.Goal, 0.4*s.o.Tol)
	var wanted []int
	for _, i := range l.Others() {
		if s.ex[i].gap > 0 || s.offset.on && !s.ex[i].zero {
			wanted = append(wanted, i)
		}
	}
	l.Take(s, wanted) // no error
}
