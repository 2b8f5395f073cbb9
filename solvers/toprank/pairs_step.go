package toprank

import (
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// The two sides of variables.
const (
	alphas = iota
	betas
)

// pairAscent is the state of Pairs: signed variables x, alpha and -beta, and the scores f = K x. The examples are taken
// with the positive ones first, so that each side has examples that follow each other.
type pairAscent[T vec.Float] struct {
	*objective
	k     *kernel.Matrix[T]
	order []int // example at each place
	rng   *rand.Rand
	f, q  []T    // scores, and the diagonal of K
	x     [2][]T // of each side
	first [2]int // its first place

	sum     float64 // of the alphas: S
	squares float64 // of the betas
	least   float64 // curvature, below which it is taken to be of rounding
	stuck   bool    // the last variable had no partner to gain with
}

func newPairAscent[T vec.Float](o *objective, k *kernel.Matrix[T]) (*pairAscent[T], error) {
	n := len(o.positive)
	a := &pairAscent[T]{objective: o, k: k, rng: rand.New(rand.NewPCG(o.Seed, 0)), f: make([]T, n), q: make([]T, n)}
	positives, ordered := 0, true
	for _, positive := range []bool{true, false} {
		for i, v := range o.positive {
			if v == positive {
				ordered = ordered && i == len(a.order)
				a.order = append(a.order, i)
			}
		}
		if positive {
			positives = len(a.order)
		}
	}
	a.x = [2][]T{make([]T, positives), make([]T, o.below())}
	a.first = [2]int{0, n - o.below()}
	var err error
	switch {
	case ordered:
	case k.Kernel() == nil: // precomputed
		a.k, err = k.Subset(a.order)
	default:
		a.k = k.Compact(a.order)
	}
	if err == nil {
		a.k.Diagonal(a.q)
		_, _, epsilon := ascent.Limits[T]()
		a.least = max(4*epsilon*float64(vec.Max(a.q)), 1e-30)
	}
	return a, err
}

// set takes dual variables of all examples and their scores.
func (a *pairAscent[T]) set(alpha, beta, f []float64) {
	for p, i := range a.order {
		a.f[p] = T(f[i])
	}
	for l := range a.x[alphas] {
		a.x[alphas][l] = T(alpha[a.order[l]])
	}
	for l := range a.x[betas] {
		a.x[betas][l] = T(-beta[a.order[a.first[betas]+l]])
	}
	a.sum, a.squares = vec.Sum(alpha), vec.SquaredNorm(beta)
}

// duals is the inverse of set.
func (a *pairAscent[T]) duals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(a.f)), make([]float64, len(a.f))
	for l, v := range a.x[alphas] {
		alpha[a.order[l]] = float64(v)
	}
	for l, v := range a.x[betas] {
		beta[a.order[a.first[betas]+l]] = math.Abs(float64(v))
	}
	return alpha, beta
}

// loop is a repeat loop: a step of the best pair with a variable k.
func (a *pairAscent[T]) loop(violation bool) {
	k := a.rng.IntN(len(a.x[alphas]) + len(a.x[betas]))
	if violation && !a.stuck {
		k = a.steepest()
	}
	v := variable{alphas, k}
	if m := len(a.x[alphas]); k >= m {
		v = variable{betas, k - m}
	}
	row := a.k.Pin(a.place(v))
	defer a.k.Release(a.place(v))
	best := a.partner(v, row)
	a.stuck = !(best.gain > 0)
	if !a.stuck {
		other := a.k.Pin(a.place(best.l))
		unchecked.MovePairOf(a.f, row, other, best.step)
		a.k.Release(a.place(best.l))
		a.move(v, best.step)
		a.move(best.l, -best.step)
	}
}

type variable struct{ side, at int }

func (a *pairAscent[T]) place(v variable) int { return a.first[v.side] + v.at }

// move adds to a variable, which rounding must not bring out of its bounds.
func (a *pairAscent[T]) move(v variable, step T) {
	x := &a.x[v.side][v.at]
	before := float64(*x)
	lo, hi := a.bounds(v.side)
	*x = min(max(*x+step, T(lo)), T(hi))
	if after := float64(*x); v.side == alphas {
		a.sum += after - before
	} else {
		a.squares += (after - before) * (after + before)
	}
}

// bounds returns those of a variable, as T has them, while S moves with it.
func (a *pairAscent[T]) bounds(side int) (lo, hi float64) {
	if side == alphas {
		return 0, float64(T(a.most()))
	}
	return math.Inf(-1), 0
}

// slope returns the constant part of the gradient of a side's variables, lin in lin - f - bend x, and bend. With the
// quadratic the dual of PatMat has -bound delta - beta²/(4 delta theta2²) in place of its norm, where delta is the best one
// for the betas at hand (32), so that a step gains at least what it does with that.
func (a *pairAscent[T]) slope(side int) (lin, bend float64) {
	switch {
	case side == alphas:
		return 1 / a.Theta1, a.curvature()
	case a.Method == TopPush:
		return 0, 0
	case a.Loss == Hinge:
		return -1 / a.Theta2, 0
	}
	delta := math.Sqrt(max(a.squares, 0)/a.bound) / (2 * a.Theta2)
	return -1 / a.Theta2, 1 / (2 * max(delta, math.SmallestNonzeroFloat32) * a.Theta2 * a.Theta2)
}

// steepest returns the number of the variable with the largest slope among those that may grow.
func (a *pairAscent[T]) steepest() (k int) {
	top := math.Inf(-1)
	for side, x := range a.x {
		lin, bend := a.slope(side)
		_, hi := a.bounds(side)
		for l, v := range x {
			if g := lin - float64(a.f[a.first[side]+l]) - bend*float64(v); g > top && float64(v) < hi {
				top, k = g, side*len(a.x[alphas])+l
			}
		}
	}
	return k
}
