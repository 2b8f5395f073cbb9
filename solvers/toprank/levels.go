package toprank

import (
	"cmp"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/toprank/internal/pairs"
	"github.com/dualgap/dualgap/vec"
)

const (
	// firstGoal is the relative gap of the active examples at which the others are looked at for the first time, if the
	// tolerance is not larger. In between, down to what the policy says, it falls to a tenth a time.
	firstGoal = 1e-3

	// reserve is by how much scores may be off before an example is missed that ought to be active.
	reserve = 0.1

	// topScores is the least number of scores at the top that TopPush begins a level with.
	topScores = 1500
)

// activate makes the examples the active ones, those first that are so already. The training on them starts from 0.
func (s *training[T]) activate(rows []int) {
	var now *kernel.Matrix[T]
	if s.solver != nil {
		now = s.solver.Kernel()
	}
	k, _ := active.Activate(s.levels.Set, s.k, now, rows, s.Workers) // no error: rows are some of its examples
	k.Fill(s.Workers)
	part := s.part()
	s.solver = pairs.New(k, part.Sides(rows), part.Judge, 0.3/s.Theta1, s.Workers)
	s.levels.Enter(s.Tol)
	if s.levels.Last() {
		s.levels.Goal = max(firstGoal, s.levels.Goal)
	}
}

// score computes the scores of examples that are not active, and copies the scores of the active ones. It reports
// whether numbers are finite: otherwise a certificate is due, which says what is wrong.
func (s *training[T]) score(rows []int) bool {
	for p, i := range s.levels.At() {
		s.f[i] = s.solver.Scores()[p]
	}
	if len(rows) == 0 {
		return true
	}
	c := vec.NewMatrix[T](len(s.f), 1)
	vec.Convert(c.Data, difference(s.duals()))
	m, err := kernel.NewExpansion(s.k, c, nil)
	scores := vec.NewMatrix[T](len(rows), 1)
	if err == nil {
		err = m.ScoresWorkers(scores, s.k.Features(), rows, s.Workers)
	}
	if err != nil {
		s.estimate.Primal = math.NaN()
	}
	for q, i := range rows {
		s.f[i] = float64(scores.Data[q])
	}
	return err == nil
}

// candidates returns the rows, positive ones first, that have a dual variable above 0 or may have one at the threshold
// t: see Wants.
func (s *training[T]) candidates(rows []int, alpha, beta []float64, t, top float64) (some []int) {
	for _, i := range rows {
		if alpha[i] > 0 || beta[i] > 0 || s.Wants(i, s.f[i], t, reserve, top) {
			some = append(some, i)
		}
	}
	return s.PositivesFirst(some)
}

// advance begins the next level: active are the support vectors and the examples that violate the optimum of their
// model. It restarts with the examples that the scores ask for.
func (s *training[T]) advance() {
	s.levels.Advance()
	isActive := func(i int) bool { return s.levels.Place(i) >= 0 }
	fresh := slices.DeleteFunc(slices.Clone(s.levels.Level()), isActive)
	if !s.score(fresh) {
		return
	}
	t, top := s.ends()
	alpha, beta := s.duals()
	s.activate(append(s.candidates(s.levels.At(), alpha, beta, t, top), s.candidates(fresh, alpha, beta, t, top)...))
	alpha = s.part().Restart(s.levels.At(), s.f, t, beta)
	s.resume(alpha, beta, s.part().Scalar(alpha, beta))
	s.solver.Rescore()
}

// look computes the scores of the examples that are not active, and with them the estimate of the certificate. Where
// that is not good enough it takes in the examples that they ask for.
func (s *training[T]) look() {
	if s.certifyNext { // a certificate is next, which has all scores
		s.estimate, s.certifyNext, s.partial = s.solver.Certificate, false, s.others()
		return
	}
	if !s.score(s.levels.Others()) {
		return
	}
	primal, t := s.Primal(s.f, s.solver.Norm())
	s.estimate, s.partial = solvers.Certificate{Primal: primal, Dual: s.solver.Certificate.Dual}, false
	if gap := s.estimate.RelativeGap(); gap > 0.9*s.Tol {
		s.updateActive(t)
		s.certifyNext = gap <= 10*s.Tol
		if s.certifyNext {
			s.levels.Goal = min(s.levels.Goal, s.levels.Look*s.Tol)
		}
	}
}

// updateActive adds the inactive examples that violate the optimum, drops the active ones whose variables are 0 and do
// not, and continues from the current variables.
func (s *training[T]) updateActive(t float64) {
	_, ranked := s.Split(s.levels.At(), s.f)
	slices.Sort(ranked)
	// the smallest of the K largest: betas below are 0
	top := ranked[max(0, len(ranked)-max(s.K, 1))]
	top -= reserve / 2 * (top - vec.Sum(ranked)/float64(len(ranked))) // where K is ill-conditioned scores are all alike
	alpha, beta := s.duals()
	wanted := s.candidates(s.levels.Others(), alpha, beta, t, top)
	last, goal := s.solver, s.levels.Look*s.Tol
	switch {
	case s.levels.Goal <= goal:
		goal = s.levels.Goal / 2
	case !last.Interior(): // whose last steps are few
		goal = max(s.levels.Goal/10, goal)
	}
	if most := max(topScores, len(s.f)/10); !s.PatMat && len(wanted) > most {
		slices.SortStableFunc(wanted, func(i, j int) int {
			return cmp.Or(s.ByClass(i, j), cmp.Compare(s.f[j], s.f[i]))
		})
		wanted = wanted[:most]
	}
	if len(wanted) > 0 {
		s.activate(append(s.candidates(s.levels.At(), alpha, beta, t, top), wanted...))
		s.resume(alpha, beta, last.Scalar())
		s.solver.Again(last)
	}
	s.levels.Goal = goal
}

// Reconsider follows a certificate that is not good enough: it has the scores of all examples.
func (s *training[T]) Reconsider() bool {
	if s.solver == nil || !s.levels.Last() {
		return true
	}
	for p, i := range s.levels.At() {
		s.solver.Scores()[p] = s.f[i]
	}
	s.levels.Goal = min(s.levels.Goal, 0.8*s.Tol)
	s.updateActive(s.t)
	return true
}
