package toprank

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

const (
	// activeFrom is the least number of examples for which levels pay, and firstLevel about how many the first one has.
	activeFrom, firstLevel = 4096, 2000

	// looseGoal is the relative gap at which a level before the last one ends: its model chooses examples, no more.
	looseGoal = 1e-2

	// firstGoal is the relative gap of the active examples at which the others are looked at for the first time, if the
	// tolerance is not larger: then it is lastGoal of that, as it is in the end. In between it falls to a tenth a time.
	firstGoal, lastGoal = 1e-3, 0.7

	// reserve is by how much scores may be off before an example is missed that ought to be active.
	reserve = 0.1

	// topScores is the least number of scores at the top that TopPush begins a level with.
	topScores = 1500
)

// order returns the examples in a random order of which every part from the start on has about as many positive ones.
func (o *objective) order() []int {
	random := rand.New(rand.NewPCG(o.Seed, 0))
	of := func(positive bool) (rows []int) {
		for i, p := range o.positive {
			if p == positive {
				rows = append(rows, i)
			}
		}
		random.Shuffle(len(rows), func(p, q int) { rows[p], rows[q] = rows[q], rows[p] })
		return rows
	}
	some, others := of(true), of(false)
	order := make([]int, 0, len(o.positive))
	for p, q := 0, 0; p < len(some) || q < len(others); {
		if q == len(others) || p < len(some) && p*len(others) <= q*len(some) {
			order, p = append(order, some[p]), p+1
		} else {
			order, q = append(order, others[q]), q+1
		}
	}
	return order
}

// compare tells whether one of two examples is positive and the other is not: that one comes first.
func (o *objective) compare(i, j int) int {
	switch {
	case o.positive[i] == o.positive[j]:
		return 0
	case o.positive[i]:
		return -1
	}
	return 1
}

// positivesFirst sorts examples so that the positive ones come first.
func (o *objective) positivesFirst(rows []int) []int {
	slices.SortStableFunc(rows, o.compare)
	return rows
}

// activate makes the examples keep, of the active ones, and more the active ones. The training on them starts from 0.
func (s *training[T]) activate(keep, more []int) {
	var k *kernel.Matrix[T]
	switch {
	case s.k.Kernel() == nil: // a given matrix, whose examples are all active
		k, _ = s.k.Subset(more)
	case s.in == nil:
		k = s.k.Compact(more)
	default:
		places := make([]int, len(keep))
		for p, i := range keep {
			places[p] = s.set.Place(i)
		}
		k = s.in.Kernel().Renew(places, more, s.Workers)
	}
	s.set.Activate(append(keep, more...))
	k.Fill(s.Workers)
	s.in = s.inner(k, s.set.At(), s.set.Level())
	s.goal = max(looseGoal, s.Tol)
	if s.set.Last() {
		s.goal = max(firstGoal, lastGoal*s.Tol)
	}
}

// score computes the scores of examples that are not active, and takes those of the active ones over.
func (s *training[T]) score(rows []int) error {
	for p, i := range s.set.At() {
		s.f[i] = s.in.Scores()[p]
	}
	if len(rows) == 0 {
		return nil
	}
	c := vec.NewMatrix[T](len(s.f), 1)
	alpha, beta := s.duals()
	for i := range alpha {
		c.Data[i] = T(alpha[i] - beta[i])
	}
	m, err := kernel.NewExpansion(s.k, c, nil)
	scores := vec.NewMatrix[T](len(rows), 1)
	if err == nil {
		err = m.ScoresWorkers(scores, s.k.Features(), rows, s.Workers)
	}
	for q, i := range rows {
		s.f[i] = float64(scores.Data[q])
	}
	return err
}

// wants reports whether a dual variable of example i may be above 0 at the threshold t, or would be if scores were off by a
// margin: of TopPush, a beta of a score above top.
func (s *training[T]) wants(i int, t, margin, top float64) bool {
	f := s.f[i]
	if s.positive[i] && f < t+1/s.Theta1+margin {
		return true
	}
	if s.Method == PatMat {
		top = t - 1/s.Theta2 - margin
	}
	return s.ranked(i) && f > top
}

// wanted returns those of the rows.
func (s *training[T]) wanted(rows []int, t, margin, top float64) (some []int) {
	for _, i := range rows {
		if s.wants(i, t, margin, top) {
			some = append(some, i)
		}
	}
	return some
}

// ofRanked returns the scores of those of the rows that the threshold is over.
func (s *training[T]) ofRanked(rows []int) (f []float64) {
	for _, i := range rows {
		if s.ranked(i) {
			f = append(f, s.f[i])
		}
	}
	return f
}

// top is the score above which examples are active when a level of TopPush begins.
func (s *training[T]) top(rows []int) float64 {
	ranked := s.ofRanked(rows)
	slices.Sort(ranked)
	return ranked[max(0, len(ranked)-max(topScores, len(ranked)/10, 2*s.level(rows).K))]
}

// advance goes on to the next level: active are the support vectors and what their model calls for.
func (s *training[T]) advance() {
	s.set.Advance()
	level := s.set.Level()
	var fresh []int
	for _, i := range level {
		if s.set.Place(i) < 0 {
			fresh = append(fresh, i)
		}
	}
	if s.score(fresh) != nil {
		s.estimate.Primal = math.NaN() // calls for a certificate, which says what is wrong
		return
	}
	t, top := s.level(level).threshold(s.ofRanked(level)), s.top(level)
	alpha, beta := s.duals()
	var keep []int
	for _, i := range s.set.At() {
		if alpha[i] > 0 || beta[i] > 0 || s.wants(i, t, reserve, top) {
			keep = append(keep, i)
		}
	}
	s.activate(s.positivesFirst(keep), s.positivesFirst(s.wanted(fresh, t, reserve, top)))
	s.restart(t, beta)
}

// restart begins with what the scores call for: alpha = C l1'(t - f) and, of PatMat, beta in proportion to l2'(f - t); of
// TopPush, in proportion to what they were.
func (s *training[T]) restart(t float64, beta []float64) {
	alpha, o := make([]float64, len(s.f)), s.level(s.set.Level())
	var ranked []int
	for _, i := range s.set.At() {
		if s.positive[i] {
			_, slope := s.Loss.loss(s.Theta1, t-s.f[i])
			alpha[i] = o.C * slope
		}
		if s.ranked(i) {
			if ranked = append(ranked, i); s.Method == PatMat {
				_, beta[i] = s.Loss.loss(s.Theta2, s.f[i]-t)
			}
		}
	}
	if a, b := vec.Sum(alpha), vec.Sum(beta); a == 0 || b == 0 {
		clear(alpha)
		clear(beta)
	} else {
		vec.Scale(a/b, beta)
		if s.tied() { // K of the last level was smaller
			o.cap(beta, ranked, a)
		}
	}
	s.resume(alpha, beta, o.scalar(alpha, beta))
	s.in.Rescore()
}

// look computes the scores of the examples that are not active, and with them the estimate of the certificate. Where that is
// not good enough it takes in what they call for.
func (s *training[T]) look() {
	if s.near { // a certificate is what is called for, which has all scores
		s.estimate, s.near = s.in.Certificate, false
		return
	}
	if s.score(s.set.Others()) != nil {
		s.estimate.Primal = math.NaN()
		return
	}
	primal, t := s.primal(s.f, s.norm())
	s.estimate = solvers.Certificate{Primal: primal, Dual: s.in.Certificate.Dual}
	if gap := s.estimate.RelativeGap(); gap > 0.9*s.Tol {
		s.take(t)
		if s.near = gap <= 10*s.Tol; s.near {
			s.goal = min(s.goal, lastGoal*s.Tol)
		}
	}
}

// take makes those of the others active that call for it, and those no more that have come to 0 and do not, and goes on from
// where the training is.
func (s *training[T]) take(t float64) {
	const margin = 0.1
	ranked := s.ofRanked(s.set.At())
	slices.Sort(ranked)
	top := ranked[max(0, len(ranked)-max(s.K, 1))]                   // the smallest of the K largest: betas below are 0
	top -= margin / 2 * (top - vec.Sum(ranked)/float64(len(ranked))) // where K is ill-conditioned scores are all alike
	wanted := s.positivesFirst(s.wanted(s.set.Others(), t, margin, top))
	last, goal := s.in, s.goal
	switch final := lastGoal * s.Tol; {
	case goal <= final:
		s.goal = goal / 2
	case last.Inside(): // whose last steps are few
		s.goal = final
	default:
		s.goal = max(goal/10, final)
	}
	if len(wanted) == 0 {
		return
	}
	if most := max(topScores, len(s.f)/10); s.Method == TopPush && len(wanted) > most {
		slices.SortStableFunc(wanted, func(i, j int) int {
			return cmp.Or(s.compare(i, j), cmp.Compare(s.f[j], s.f[i]))
		})
		wanted = wanted[:most]
	}
	alpha, beta := s.duals()
	var keep []int
	for _, i := range s.set.At() {
		if alpha[i] > 0 || beta[i] > 0 || s.wants(i, t, margin, top) {
			keep = append(keep, i)
		}
	}
	goal = s.goal
	s.activate(s.positivesFirst(keep), wanted)
	s.goal = goal
	s.resume(alpha, beta, last.Scalar())
	s.in.Again(last)
}

// Reconsider follows a certificate that is not good enough: it has the scores of all examples.
func (s *training[T]) Reconsider() {
	if s.in == nil || !s.set.Last() {
		return
	}
	for p, i := range s.set.At() {
		s.in.Scores()[p] = s.f[i]
	}
	s.goal = min(s.goal, 0.8*s.Tol)
	s.take(s.t)
}
