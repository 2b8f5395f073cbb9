package ranking

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// Pairs runs Algorithm 3.1 on the matrix k: each repeat loop chooses a variable, and of all pairs with it moves the one
// that gains most. Steps are repeat loops, 20000 by default as in the paper, and Every is by default all of them. It
// starts from uniform variables. When ctx ends it returns the result so far and ctx.Err().
//
// A loop costs O(n) and two rows of k: give it a budget of all of them, or they are computed again and again.
// Arithmetic is in T; the history's values, of all pairs of examples, are in float64, and set the scores right.
//
// The scalar of the problem, S or delta, goes with every pair to its best value. Where it bounds many betas, which then
// had to move together, pairs stop short of the optimum however exact each step is: with TopPushK, where beta <= S/K,
// and with Pat&Mat and the hinge, whose dual has the largest beta. With K = 1, and with Pat&Mat and the quadratic, they
// reach it.
func Pairs[T vec.Float](ctx context.Context, k *kernel.Matrix[T], l Losses, o Options) (*Result, error) {
	if k == nil {
		return nil, fmt.Errorf("ranking: no kernel matrix")
	}
	m, o, err := newMethod(ctx, k, l, o)
	if err != nil {
		return nil, fmt.Errorf("ranking: %w", err)
	}
	end, err := papers.Run(ctx, m, o.Options, o.Tol)
	if end.Status == solvers.Running {
		return nil, fmt.Errorf("ranking: %w", err)
	}
	return &Result{end, m.alpha, m.beta}, err
}

// method is Algorithm 3.1 on the examples in another order, the positive ones first, so that each side of variables has
// neighbours.
type method[T vec.Float] struct {
	*pairs[T]
	o           *toploss.Objective
	wide        *kernel.Matrix[float64]
	order       []int     // the example at each place
	alpha, beta []float64 // of the examples
	options     Options
	loops       int
}

func newMethod[T vec.Float](ctx context.Context, k *kernel.Matrix[T], l Losses, o Options) (*method[T], Options,
	error) {
	objective, o, err := l.objective(ctx, k.Len(), 20000, math.MaxInt, o)
	if err != nil {
		return nil, o, err
	}
	m := &method[T]{o: objective, options: o, order: objective.PositivesFirst(slices.Clone(objective.Rows()))}
	m.alpha, m.beta = objective.Uniform()
	if m.wide, err = k.Float64(); err == nil && !slices.IsSorted(m.order) {
		k, err = active.Part(k, m.order)
	}
	if err == nil {
		m.pairs = newPairs(k, objective.Sides(m.order), o.Seed)
	}
	return m, o, err
}

func (m *method[T]) Take(ctx context.Context, steps int) (done int) {
	for ; done < steps && ctx.Err() == nil; done++ {
		m.loop(m.options.Violation)
	}
	m.loops += done
	alpha, beta := m.duals()
	for q, i := range m.order {
		m.alpha[i], m.beta[i] = alpha[q], beta[q]
	}
	return done
}

// Look computes the scores of the variables, made feasible, and both values.
func (m *method[T]) Look() (papers.Step, error) {
	m.o.Feasible(m.alpha, m.beta)
	n := len(m.order)
	c, f := vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](n, 1)
	for i := range n {
		c.Data[i] = m.alpha[i] - m.beta[i]
	}
	m.wide.Multiply(f, c, m.options.Workers)
	norm := max(0, vec.Dot(c.Data, f.Data))
	primal, _ := m.o.Primal(f.Data, norm)
	m.set(family.Pick(m.alpha, m.order), family.Pick(m.beta, m.order), family.Pick(f.Data, m.order))
	s, err := finite(solvers.Certificate{Primal: primal, Dual: m.o.Dual(m.alpha, m.beta, norm)})
	s.Passes = 2 * float64(m.loops) / float64(n)
	return s, err
}

// The two sides of variables.
const (
	alphas = iota
	betas
)

// pairs is a problem on its way: signed variables x, alpha and -beta, and the scores f = K x.
type pairs[T vec.Float] struct {
	p     interior.Problem
	k     *kernel.Matrix[T]
	rng   *rand.Rand
	f, q  []T    // scores, and the diagonal of K
	x     [2][]T // of each side
	first [2]int // the example of its first variable; the others follow

	sum     float64 // of the alphas: S
	squares float64 // of the betas
	least   float64 // curvature, below which it is taken to be of rounding
	stuck   bool    // the last variable had no partner to gain with
}

// newPairs returns p on the matrix k, p.K being left nil, at x = 0. The examples of each side of p are
// neighbours, in order. Minus has a Ratio, or there is a Curve, or no scalar at all.
func newPairs[T vec.Float](k *kernel.Matrix[T], p interior.Problem, seed uint64) *pairs[T] {
	n := k.Len()
	s := &pairs[T]{p: p, k: k, rng: rand.New(rand.NewPCG(seed, 0)), f: make([]T, n), q: make([]T, n)}
	for i, side := range []interior.Side{p.Plus, p.Minus} {
		s.x[i], s.first[i] = make([]T, len(side.Examples)), side.Examples[0]
	}
	k.Diagonal(s.q)
	_, _, epsilon := family.Limits[T]()
	s.least = max(4*epsilon*float64(vec.Max(s.q)), 1e-30)
	return s
}

// set takes dual variables of all n examples, 0 of those that have none, and their scores.
func (s *pairs[T]) set(alpha, beta, f []float64) {
	vec.Convert(s.f, f)
	vec.Convert(s.x[alphas], alpha[s.first[alphas]:][:len(s.x[alphas])])
	for l := range s.x[betas] {
		s.x[betas][l] = T(-beta[s.first[betas]+l])
	}
	s.sum, s.squares = vec.Sum(alpha), vec.SquaredNorm(beta)
}

// duals is the inverse of set.
func (s *pairs[T]) duals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	vec.Convert(alpha[s.first[alphas]:][:len(s.x[alphas])], s.x[alphas])
	for l, v := range s.x[betas] {
		beta[s.first[betas]+l] = math.Abs(float64(v))
	}
	return alpha, beta
}

// loop is a repeat loop of Algorithm 3.1: of all pairs with a variable k the one that gains most takes a step (17). k
// is random or, by violation, that with the largest slope of those that may grow. It costs O(n) and two rows of K.
func (s *pairs[T]) loop(violation bool) {
	k := s.rng.IntN(len(s.x[alphas]) + len(s.x[betas]))
	if violation && !s.stuck {
		k = s.steepest()
	}
	v := s.variable(k)
	row := s.k.Pin(s.place(v))
	defer s.k.Release(s.place(v))
	best := s.partner(v, row)
	s.stuck = !(best.gain > 0)
	if !s.stuck {
		other := s.k.Pin(s.place(best.l))
		unchecked.MovePairOf(s.f, row, other, best.step)
		s.k.Release(s.place(best.l))
		s.move(v, best.step)
		s.move(best.l, -best.step)
	}
}

type variable struct{ side, at int }

// variable returns the one of a number, of which alphas have the first.
func (s *pairs[T]) variable(k int) variable {
	if m := len(s.x[alphas]); k >= m {
		return variable{betas, k - m}
	}
	return variable{alphas, k}
}

// place is the example of a variable.
func (s *pairs[T]) place(v variable) int { return s.first[v.side] + v.at }

// move adds to a variable, which rounding must not bring out of its bounds.
func (s *pairs[T]) move(v variable, step T) {
	x := &s.x[v.side][v.at]
	before := float64(*x)
	lo, hi := s.bounds(v.side)
	*x = min(max(*x+step, T(lo)), T(hi))
	after := float64(*x)
	if v.side == alphas {
		s.sum += after - before
	} else {
		s.squares += (after - before) * (after + before)
	}
}

// bounds returns the bounds of a variable, as T has them, while the scalar moves with it.
func (s *pairs[T]) bounds(side int) (lo, hi float64) {
	switch {
	case side == betas:
		return math.Inf(-1), 0
	case s.p.Plus.Upper > 0:
		return 0, float64(T(s.p.Plus.Upper))
	}
	return 0, math.Inf(1)
}

// slope returns the constant part of the gradient of a side's variables, lin in lin - f - bend x, and bend. With a
// curve the scalar is the best one for the betas at hand (32), so that a step gains at least what it does with that.
func (s *pairs[T]) slope(side int) (lin, bend float64) {
	switch {
	case side == alphas:
		return s.p.Plus.Linear, s.p.Plus.Quadratic
	case s.p.Curve == 0:
		return -s.p.Minus.Linear, 0
	}
	delta := math.Sqrt(s.p.Curve * max(s.squares, 0) / (2 * s.p.Cost))
	return -s.p.Minus.Linear, s.p.Curve / max(delta, math.SmallestNonzeroFloat32)
}

// steepest returns the number of the variable with the largest slope among those that may grow.
func (s *pairs[T]) steepest() (k int) {
	top := math.Inf(-1)
	for side, x := range s.x {
		lin, bend := s.slope(side)
		_, hi := s.bounds(side)
		for l, v := range x {
			if g := lin - float64(s.f[s.first[side]+l]) - bend*float64(v); g > top && float64(v) < hi {
				top, k = g, side*len(s.x[alphas])+l
			}
		}
	}
	return k
}
