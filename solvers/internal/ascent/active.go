package ascent

import (
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Active sets. In the solution of a problem with a hinge the dual variables of most examples are 0, and an example that
// stays at 0 costs a kernel solver its column of every row of K and its part of every product. So a large training works
// on the active examples alone, as if there were no others, until their gap is small; then it computes the scores of the
// others, takes those in that the model calls for, and goes on. It begins with a few examples and comes to all of them in
// levels, each four times as large: the model of one chooses what the next one begins with.

const (
	// activeFrom is the least number of examples for which that pays.
	activeFrom = 4096

	// firstLevel is about the number of examples of the first level, from half to twice as many.
	firstLevel = 1000

	// looseGoal is the relative gap at which a level before the last one ends: its model chooses examples, no more.
	looseGoal = 3e-2

	// An example is taken in where it has a loss, or would have one if all scores were smaller by such a factor: it may
	// have one before the next look.
	freshReserve, restReserve = 1.15, 1.05
)

// active is the state of a training by levels.
type active[T vec.Float] struct {
	all     []int         // the examples with r_i > 0, in random order
	size    int           // so many of these are the examples of the level
	goal    float64       // gap of the active examples, relative to P, at which the others are looked at
	scores  vec.Matrix[T] // of all examples, as last computed; those of active examples are in kernelSolver.f
	place   []int32       // of an example among the active ones, or -1
	outside float64       // sum of the g_i of the other examples
	terms   float64       // sum of their dual terms
}

// newActive returns nil where all examples are to be active all the time: where they are few, rows of K cost nothing, or
// the loss leaves no dual variable at 0.
func newActive[T vec.Float](s *kernelSolver[T], wide int) *active[T] {
	from := s.o.ActiveFrom
	if from == 0 {
		from = activeFrom
	}
	if len(s.order) < from || s.k.Kernel() == nil || s.p.Loss.Traits().AllMove {
		return nil
	}
	first := min(firstLevel, from)
	a := &active[T]{scores: vec.NewMatrix[T](s.n, wide), place: make([]int32, s.n), size: len(s.order)}
	for a.size > 2*first {
		a.size /= 4
	}
	return a
}

// begin makes the examples of the first level active.
func (s *kernelSolver[T]) begin() {
	a := s.active
	a.all = append(a.all, s.order...)
	s.shuffle(a.all)
	a.goal = s.goal()
	s.activate(a.all[:a.size])
}

// goal is that of the level.
func (s *kernelSolver[T]) goal() float64 {
	if s.active.size < len(s.active.all) {
		return max(s.o.Tol, looseGoal)
	}
	return 0.6 * s.o.Tol
}

// widen takes examples in where the active ones have come to their goal.
func (s *kernelSolver[T]) widen() {
	a := s.active
	if a == nil || s.inside > a.goal*s.primal {
		return
	}
	if a.size < len(a.all) {
		before := a.size
		if a.size *= 4; a.size > len(a.all)/2 {
			a.size = len(a.all)
		}
		a.goal = s.goal()
		var set []int
		for _, i := range s.at {
			if !isZero(s.duals(i)) {
				set = append(set, i)
			}
		}
		s.activate(append(set, s.look(a.all[before:a.size], freshReserve)...))
		return
	}
	rest := make([]int, 0, len(a.all)-len(s.at))
	for _, i := range a.all {
		if a.place[i] < 0 {
			rest = append(rest, i)
		}
	}
	wanted := s.look(rest, restReserve)
	if s.Estimate().RelativeGap() <= 0.9*s.o.Tol {
		return
	}
	s.take(wanted)
}

// take makes more examples active.
func (s *kernelSolver[T]) take(wanted []int) {
	if len(wanted) == 0 {
		s.active.goal /= 2
		return
	}
	s.activate(append(s.at[:len(s.at):len(s.at)], wanted...))
}

// look computes the scores of some of the examples that are not active, whose dual variables are 0, and returns those
// that have a loss, or would have one if the scores were smaller by the factor reserve.
func (s *kernelSolver[T]) look(rows []int, reserve T) (wanted []int) {
	if len(rows) == 0 {
		return nil
	}
	a := s.active
	model, err := kernel.NewExpansion(s.p.Kernel, s.coefficients(), nil)
	if err != nil {
		panic(err) // numbers that are not finite end a training before
	}
	scores, row := vec.NewMatrix[T](len(rows), s.m), make([]T, s.m)
	if err := model.ScoresWorkers(scores, s.p.Kernel.Features(), rows, s.o.Workers); err != nil {
		panic(err)
	}
	for p, i := range rows {
		f, ex := scores.Row(p), &s.ex[i]
		copy(a.scores.Row(i), f)
		ex.gap = ex.r*s.p.Loss.Primal(f, s.p.Labels.Of(i), &s.work) - ex.term
		for c, v := range f {
			row[c] = v / reserve
		}
		if ex.gap > 0 || ex.r*s.p.Loss.Primal(row, s.p.Labels.Of(i), &s.work)-ex.term > 0 {
			wanted = append(wanted, i)
		}
	}
	s.sumOutside()
	return wanted
}

// coefficients returns A R, n-by-m.
func (s *kernelSolver[T]) coefficients() vec.Matrix[T] {
	if !s.p.coupled() {
		return s.a
	}
	r, b := vec.NewMatrix[T](s.m, s.m), vec.NewMatrix[T](s.n, s.m)
	for c := range s.m {
		vec.Convert(r.Row(c), s.p.Coupling.Row(c))
	}
	vec.GemmWorkers(vec.NoTrans, vec.NoTrans, 1, s.a, r, 0, b, s.o.Workers)
	return b
}

// activate makes these examples the active ones, and no others. All others have dual variables of 0.
func (s *kernelSolver[T]) activate(set []int) {
	a := s.active
	s.keepScores()
	for i := range a.place {
		a.place[i] = -1
	}
	s.at = append([]int(nil), set...)
	for p, i := range s.at {
		a.place[i] = int32(p)
	}
	s.sumOutside()
	s.k = s.p.Kernel.Compact(s.at)
	s.f = vec.NewMatrix[T](len(s.at), a.scores.Cols)
	s.order = s.order[:0]
	for p, i := range s.at {
		copy(s.f.Row(p), a.scores.Row(i))
		s.order = append(s.order, p)
	}
	s.from = len(s.order)
	s.block.reach(len(s.at))
	s.Estimate()
}

// sumOutside adds up what is known of the examples that are not active.
func (s *kernelSolver[T]) sumOutside() {
	a := s.active
	if a == nil {
		return
	}
	a.outside, a.terms = 0, 0
	for _, i := range a.all {
		if a.place[i] < 0 {
			a.outside += s.ex[i].gap
			a.terms += s.ex[i].term
		}
	}
}

// keepScores copies the scores of the active examples to where those of all are.
func (s *kernelSolver[T]) keepScores() {
	for p, i := range s.at {
		copy(s.active.scores.Row(i), s.f.Row(p))
	}
}

// scoresOf is where the scores of example i are kept.
func (s *kernelSolver[T]) scoresOf(i int) []T {
	if s.active == nil {
		return s.f.Row(i)
	}
	if p := s.active.place[i]; p >= 0 {
		return s.f.Row(int(p))
	}
	return s.active.scores.Row(i)
}

// beginAt makes active what dual variables to start from call for: after a certificate of these.
func (s *kernelSolver[T]) beginAt() {
	a := s.active
	a.size = len(a.all)
	a.goal = s.goal()
	var set []int
	for _, i := range a.all {
		if s.ex[i].gap > 0 || !isZero(s.duals(i)) {
			set = append(set, i)
		}
	}
	s.activate(set)
}

// reconsider follows a certificate that is not good enough: it has the scores and the gaps of all examples.
func (s *kernelSolver[T]) reconsider() {
	a := s.active
	a.size = len(a.all)
	a.goal = min(a.goal, 0.4*s.o.Tol)
	var wanted []int
	for _, i := range a.all {
		if a.place[i] < 0 && s.ex[i].gap > 0 {
			wanted = append(wanted, i)
		}
	}
	s.take(wanted)
}
