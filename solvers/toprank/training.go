package toprank

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

const (
	// activeFrom is the least number of examples for which levels pay, and firstLevel about how many the first one has.
	activeFrom, firstLevel = 4096, 2000

	// looseGoal is the relative gap at which a level before the last one ends: its model chooses examples, no more.
	looseGoal = 1e-2

	// lastGoal is the part of the tolerance to which the active examples are trained before the others are looked at.
	lastGoal = 0.7
)

// training is that on a kernel: pair steps on the active examples, in levels. See package active.
type training[T vec.Float] struct {
	*objective
	k       *kernel.Matrix[T]
	wide    *kernel.Matrix[float64] // k for certificates
	tol     float64
	workers int

	set  *active.Set
	in   *inner[T]
	goal float64   // relative gap of the active examples that ends the level, or calls for a look at the others
	f    []float64 // scores of all examples as last computed

	epoch, visits int
	estimate      solvers.Certificate

	certified certified[T]
}

func newTraining[T vec.Float](o *objective, k *kernel.Matrix[T]) (*training[T], error) {
	wide, err := k.Float64()
	if err != nil {
		return nil, err
	}
	n := k.Len()
	s := &training[T]{objective: o, k: k, wide: wide, tol: o.Tol, workers: o.Workers, f: make([]float64, n)}
	first := n
	if n >= activeFrom && k.Kernel() != nil {
		first = firstLevel
	}
	s.set = active.New(n, s.order(), first)
	s.certified = newCertified[T](n)
	return s, nil
}

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

// positivesFirst sorts examples so that the positive ones come first.
func (o *objective) positivesFirst(rows []int) []int {
	slices.SortStableFunc(rows, func(i, j int) int {
		switch {
		case o.positive[i] == o.positive[j]:
			return 0
		case o.positive[i]:
			return -1
		}
		return 1
	})
	return rows
}

// Epoch is a level, or, at the last one, as many pair steps as there are active examples.
func (s *training[T]) Epoch(ctx context.Context) (int, bool) {
	if s.in == nil {
		s.activate(nil, slices.Clone(s.set.At()))
		s.in.begin()
	}
	for ctx.Err() == nil {
		before := s.in.steps
		s.in.train(max(len(s.f), 500))
		s.visits += 2 * max(s.in.steps-before, 1)
		last := s.set.Last()
		if s.in.certificate.RelativeGap() <= s.goal {
			if last {
				s.look()
			} else {
				s.advance()
			}
		} else {
			s.inside()
		}
		if last || s.in.certificate.RelativeGap() == 0 {
			s.epoch++
			return s.epoch, true
		}
	}
	return s.epoch, false
}

// inside makes the estimate that of the active examples, which is too good to call for a certificate.
func (s *training[T]) inside() {
	s.estimate = s.in.certificate
	gap := 2 * s.tol * max(math.Abs(s.estimate.Primal), math.Abs(s.estimate.Dual))
	if s.set.Last() && len(s.set.At()) < len(s.f) || !s.set.Last() {
		s.estimate.Dual = min(s.estimate.Dual, s.estimate.Primal-gap)
	}
}

// activate makes the examples keep, of the active ones, and more the active ones. The training on them starts from 0.
func (s *training[T]) activate(keep, more []int) {
	keep, more = s.positivesFirst(keep), s.positivesFirst(more)
	k := s.k
	switch {
	case s.k.Kernel() == nil: // a given matrix: all are active
		k, _ = s.k.Subset(more)
	case s.in == nil:
		k = s.k.Compact(more)
	default:
		places := make([]int, len(keep))
		for p, i := range keep {
			places[p] = s.set.Place(i)
		}
		k = s.in.k.Renew(places, more, s.workers)
	}
	s.set.Activate(append(keep, more...))
	fill(k, s.workers)
	level := s.set.Level()
	o := objective{Config: s.Config, positive: make([]bool, len(s.set.At()))}
	o.C *= float64(len(s.f)) / float64(len(level))
	for p, i := range s.set.At() {
		o.positive[p] = s.positive[i]
	}
	for _, i := range level {
		if s.ranked(i) {
			o.bound += s.Tau
		}
	}
	steps := 0
	if s.in != nil {
		steps = s.in.steps
	}
	s.in = newInner(k, o)
	s.in.steps = steps
	s.goal = max(looseGoal, s.tol)
	if s.set.Last() {
		s.goal = lastGoal * s.tol
	}
}

// fill computes the rows of k that there is room for, many at a time.
func fill[T vec.Float](k *kernel.Matrix[T], workers int) {
	if k.Kernel() == nil || k.Room() < k.Len() {
		return
	}
	const rows = 64
	block, index := vec.NewMatrix[T](min(rows, k.Len()), k.Len()), make([]int, 0, rows)
	for i := 0; i < k.Len(); i += rows {
		index = index[:0]
		for j := i; j < min(i+rows, k.Len()); j++ {
			index = append(index, j)
		}
		k.RowsWorkers(block.Slice(0, len(index), 0, k.Len()), index, workers)
	}
}

// score computes the scores of examples that are not active, and takes those of the active ones over.
func (s *training[T]) score(rows []int) error {
	for p, i := range s.set.At() {
		s.f[i] = s.in.f[p]
	}
	if len(rows) == 0 {
		return nil
	}
	c, a := make([]float64, len(s.set.At())), vec.NewMatrix[T](len(s.f), 1)
	s.in.coefficients(c)
	for p, i := range s.set.At() {
		a.Data[i] = T(c[p])
	}
	m, err := kernel.NewExpansion(s.k, a, nil)
	scores := vec.NewMatrix[T](len(rows), 1)
	if err == nil {
		err = m.ScoresWorkers(scores, s.k.Features(), rows, s.workers)
	}
	for q, i := range rows {
		s.f[i] = float64(scores.Data[q])
	}
	return err
}

// wanted returns those of the rows whose dual variables may be above 0 at the threshold t, or would be if scores were off
// by reserve: of TopPush, ranked ones with scores above top.
func (s *training[T]) wanted(rows []int, t, reserve, top float64) (some []int) {
	for _, i := range rows {
		f := s.f[i]
		alpha := s.positive[i] && f < t+1/s.Theta1+reserve
		beta := s.ranked(i) && (s.Method == TopPush && f > top || s.Method == PatMat && f > t-1/s.Theta2-reserve)
		if alpha || beta {
			some = append(some, i)
		}
	}
	return some
}

// advance goes on to the next level: active are the support vectors and what their model calls for.
func (s *training[T]) advance() {
	s.set.Advance()
	var fresh []int
	for _, i := range s.set.Level() {
		if s.set.Place(i) < 0 {
			fresh = append(fresh, i)
		}
	}
	if s.score(fresh) != nil {
		s.estimate.Primal = math.NaN() // calls for a certificate, which says what is wrong
		return
	}
	var ranked []float64
	for _, i := range s.set.Level() {
		if s.ranked(i) {
			ranked = append(ranked, s.f[i])
		}
	}
	t, top := s.threshold(ranked), math.Inf(1)
	if s.Method == TopPush {
		slices.Sort(ranked)
		top = ranked[max(0, len(ranked)-max(1500, len(s.set.Level())/10, 2*s.K))]
	}
	const reserve = .25
	c := make([]float64, len(s.set.At()))
	s.in.coefficients(c)
	beta := make(map[int]float64) // of examples
	s.in.each(1, func(g *group, u int) { beta[s.set.At()[g.from+u]] = g.x[u] })
	var keep []int
	for p, i := range s.set.At() {
		if c[p] != 0 || s.wanted([]int{i}, t, reserve, top) != nil {
			keep = append(keep, i)
		}
	}
	s.activate(keep, s.wanted(fresh, t, reserve, top))
	s.restart(t, beta)
}

// restart starts from what the scores call for: alpha = C l1'(t - f) and, of PatMat, beta in proportion to l2'(f - t); of
// TopPush, in proportion to what they were.
func (s *training[T]) restart(t float64, beta map[int]float64) {
	at, sums := s.set.At(), [2]float64{}
	s.in.each(0, func(g *group, u int) {
		_, slope := s.Loss.loss(s.Theta1, t-s.f[at[g.from+u]])
		g.x[u] = s.in.o.C * slope
		sums[0] += g.x[u]
	})
	s.in.each(1, func(g *group, u int) {
		g.x[u] = beta[at[g.from+u]]
		if s.Method == PatMat {
			_, slope := s.Loss.loss(s.Theta2, s.f[at[g.from+u]]-t)
			g.x[u] = -slope
		}
		sums[1] -= g.x[u]
	})
	if sums[0] == 0 || sums[1] == 0 {
		s.in.each(0, func(g *group, u int) { g.x[u] = 0 })
		s.in.each(1, func(g *group, u int) { g.x[u] = 0 })
		s.in.begin()
		return
	}
	s.in.each(1, func(g *group, u int) { g.x[u] *= sums[0] / sums[1] })
	switch {
	case s.in.apart:
		s.in.hold(sums[0])
	case s.in.tied():
		s.in.hold(sums[0] / sums[1])
	}
	s.in.rescore(s.workers)
}

// look computes the scores of the examples that are not active, and with them the estimate of the certificate. Where that is
// not good enough it takes in what they call for.
func (s *training[T]) look() {
	others := s.set.Others()
	if s.score(others) != nil {
		s.estimate.Primal = math.NaN()
		return
	}
	primal, t := s.primal(s.f, s.in.norm())
	s.estimate = solvers.Certificate{Primal: primal, Dual: s.in.certificate.Dual}
	if s.estimate.RelativeGap() > .9*s.tol {
		s.take(others, t)
	}
}

// take makes more examples active, of the others, and goes on from where the training is.
func (s *training[T]) take(others []int, t float64) {
	wanted := s.wanted(others, t, .1, min(t, s.in.t)-.05)
	if len(wanted) == 0 {
		s.goal /= 2
		return
	}
	if s.Method == TopPush && len(wanted) > len(s.f)/10 {
		slices.SortFunc(wanted, func(i, j int) int {
			switch {
			case s.positive[i] != s.positive[j] && s.positive[i], s.positive[i] == s.positive[j] && s.f[i] > s.f[j]:
				return -1
			}
			return 1
		})
		wanted = wanted[:len(s.f)/10]
	}
	old := s.in
	alpha, beta := s.duals()
	s.activate(slices.Clone(s.set.At()), wanted)
	at := s.set.At()
	s.in.each(0, func(g *group, u int) { g.x[u] = alpha[at[g.from+u]] })
	s.in.each(1, func(g *group, u int) { g.x[u] = -beta[at[g.from+u]] })
	s.in.eps, s.in.scalar = old.eps, old.scalar
	s.in.scalar.low, s.in.scalar.high, s.in.scalar.factor = 0, 0, 1.05
	if s.in.tied() {
		s.in.hold(old.scalar.at)
	}
	for p, i := range at {
		s.in.f[p] = s.f[i]
	}
}

// duals returns the dual variables of all examples.
func (s *training[T]) duals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	at := s.set.At()
	s.in.each(0, func(g *group, u int) { alpha[at[g.from+u]] = g.x[u] })
	s.in.each(1, func(g *group, u int) { beta[at[g.from+u]] = -g.x[u] })
	return alpha, beta
}

func (s *training[T]) Visits() (visits, n int) { return s.visits, len(s.f) }

func (s *training[T]) Estimate() solvers.Certificate { return s.estimate }

// Certify computes the scores of all examples in float64, by the dual variables and by the model's coefficients, which are
// these rounded to T.
func (s *training[T]) Certify() (solvers.Certificate, error) {
	n := len(s.f)
	c := &s.certified
	c.alpha, c.beta = s.duals()
	balance(c.alpha, c.beta)
	a, f := vec.NewMatrix[float64](n, 2), vec.NewMatrix[float64](n, 2)
	norms := [2]float64{}
	for i := range n {
		exact := c.alpha[i] - c.beta[i]
		c.c.Data[i] = T(exact)
		a.Row(i)[0], a.Row(i)[1] = exact, float64(c.c.Data[i])
	}
	s.wide.Multiply(f, a, s.workers)
	model := make([]float64, n)
	for i := range n {
		norms[0] += a.Row(i)[0] * f.Row(i)[0]
		norms[1] += a.Row(i)[1] * f.Row(i)[1]
		s.f[i], model[i] = f.Row(i)[0], f.Row(i)[1]
	}
	var v solvers.Certificate
	v.Primal, c.t = s.primal(model, norms[1])
	v.Dual = s.dual(c.alpha, c.beta, norms[0])
	if gap := v.Gap(); gap-gap != 0 {
		return v, fmt.Errorf("after %d epochs there are numbers that are not finite: %v", s.epoch, v)
	} else if !(norms[1] >= 0) || gap < -1e-6*v.Primal {
		return v, fmt.Errorf("the kernel matrix is not positive semi-definite: in epoch %d |w|² = %v, %v", s.epoch, norms[1], v)
	}
	return v, nil
}

// Reconsider follows a certificate that is not good enough: it has the scores of all examples.
func (s *training[T]) Reconsider() {
	if !s.set.Last() {
		return
	}
	for p, i := range s.set.At() {
		s.in.f[p] = s.f[i]
	}
	s.goal = min(s.goal, .4*s.tol)
	s.take(s.set.Others(), s.certified.t)
}

// certified is what the last certificate is of.
type certified[T vec.Float] struct {
	alpha, beta []float64
	c           vec.Matrix[T]
	t           float64
}

func newCertified[T vec.Float](n int) certified[T] {
	return certified[T]{c: vec.NewMatrix[T](n, 1)}
}

// balance makes the sums equal, by less of the larger one.
func balance(alpha, beta []float64) {
	a, b := vec.Sum(alpha), vec.Sum(beta)
	switch {
	case a > b:
		vec.Scale(b/a, alpha)
	case b > a:
		vec.Scale(a/b, beta)
	}
}
