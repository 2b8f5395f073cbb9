// Package toppairs is the paper's own method of ranking at the top, its Algorithm 3.1: pair steps on the problems of
// package interior in which the scalar goes with every pair, to its best value, in place of being held as in package
// pairs. Where it bounds many variables, which then had to move together, that stops short of the optimum, however
// exact each step is.
//
// The paper is "Nonlinear classifiers for ranking problems based on kernelized SVM" by Mácha, Adam and Šmídl, 2020.
// Alphas are the variables of Plus, betas those of Minus; arithmetic is in T.
package toppairs

import (
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// The two sides of variables.
const (
	alphas = iota
	betas
)

// Solver is a problem on its way: signed variables x, alpha and -beta, and the scores f = K x.
type Solver[T vec.Float] struct {
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

// New returns the Solver of p on the matrix k, p.K being left nil, at x = 0. The examples of each side of p are
// neighbours, in order. Minus has a Ratio, or there is a Curve, or no scalar at all.
func New[T vec.Float](k *kernel.Matrix[T], p interior.Problem, seed uint64) *Solver[T] {
	n := k.Len()
	s := &Solver[T]{p: p, k: k, rng: rand.New(rand.NewPCG(seed, 0)), f: make([]T, n), q: make([]T, n)}
	for i, side := range []interior.Side{p.Plus, p.Minus} {
		s.x[i], s.first[i] = make([]T, len(side.At)), side.At[0]
	}
	k.Diagonal(s.q)
	_, _, epsilon := family.Limits[T]()
	s.least = max(4*epsilon*float64(vec.Max(s.q)), 1e-30)
	return s
}

// Set takes dual variables of all n examples, 0 of those that have none, and their scores.
func (s *Solver[T]) Set(alpha, beta, f []float64) {
	vec.Convert(s.f, f)
	vec.Convert(s.x[alphas], alpha[s.first[alphas]:][:len(s.x[alphas])])
	for l := range s.x[betas] {
		s.x[betas][l] = T(-beta[s.first[betas]+l])
	}
	s.sum, s.squares = vec.Sum(alpha), vec.SquaredNorm(beta)
}

// Duals is the inverse of Set.
func (s *Solver[T]) Duals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	vec.Convert(alpha[s.first[alphas]:][:len(s.x[alphas])], s.x[alphas])
	for l, v := range s.x[betas] {
		beta[s.first[betas]+l] = math.Abs(float64(v))
	}
	return alpha, beta
}

// Loop is a repeat loop: of all pairs with a variable k the one that gains most takes a step. k is random or, by
// violation, that with the largest slope of those that may grow. It costs O(n) and two rows of K.
func (s *Solver[T]) Loop(violation bool) {
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
func (s *Solver[T]) variable(k int) variable {
	if m := len(s.x[alphas]); k >= m {
		return variable{betas, k - m}
	}
	return variable{alphas, k}
}

// place is the example of a variable.
func (s *Solver[T]) place(v variable) int { return s.first[v.side] + v.at }

// move adds to a variable, which rounding must not bring out of its bounds.
func (s *Solver[T]) move(v variable, step T) {
	x := &s.x[v.side][v.at]
	before := float64(*x)
	lo, hi := s.bounds(v.side)
	*x = min(max(*x+step, T(lo)), T(hi))
	if after := float64(*x); v.side == alphas {
		s.sum += after - before
	} else {
		s.squares += (after - before) * (after + before)
	}
}

// bounds returns those of a variable, as T has them, while the scalar moves with it.
func (s *Solver[T]) bounds(side int) (lo, hi float64) {
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
func (s *Solver[T]) slope(side int) (lin, bend float64) {
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
func (s *Solver[T]) steepest() (k int) {
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
