// Package rankone is the trace-norm paper's own method, rank-one descent: W = sum_i theta_i u_i v_iᵀ, theta >= 0, is a
// list of atoms of rank one, whose weights' sum takes the place of |W|_*. It is there for comparison; L-BFGS on factors
// is quicker.
package rankone

import (
	"context"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// Descent is Algorithm 4.1. What it minimises is I(theta) = lambda1 sum_i theta_i + R(W), where R is the risk and
// lambda2 |W|².
type Descent[T vec.Float] struct {
	nuclear.Base[T]
	theta   []float64
	u, v    [][]T         // of the atoms, of length 1
	h       vec.Matrix[T] // the gradient of R at W
	epsilon float64       // of the conditions C1 and C2; it is halved where they hold
	length  float64       // of the last step
	added   int           // atoms since the weights were the best ones
}

// New returns the descent at W = 0.
func New[T vec.Float](b nuclear.Base[T]) *Descent[T] {
	d := &Descent[T]{Base: b, h: risk.Padded[T](b.D, b.K), length: 1}
	d.Sample = risk.New(d.Data, d.Workers)
	d.evaluate(d.theta)
	d.epsilon = spectral.Values(d.h)[0]
	return d
}

// Atoms returns how many atoms have a weight above 0.
func (d *Descent[T]) Atoms() int { return len(d.theta) }

// Step adds an atom, or finds the best weights of those there are, (8), or where C1 and C2 hold halves epsilon. C1 is
// that no atom has a slope of I below -epsilon, C2 that those with a weight have none above it.
func (d *Descent[T]) Step() {
	u, v, sigma, ok := spectral.Decompose(spectral.Float64(d.h))
	const regular = 10 // "on a regular basis" the paper finds the best weights besides
	switch {
	case !ok || len(sigma) == 0:
		d.epsilon = 0
	case d.added < regular && d.Lambda1-sigma[0] <= -d.epsilon/2 && d.add(unit[T](u, -1), unit[T](v, 1)):
		// the slope along the top pair of -H
	case d.added > 0 || d.slope() > d.epsilon:
		d.weigh(sigma[0] - d.Lambda1)
	default:
		d.epsilon /= 2
	}
	penalty := d.Lambda2 * d.Squares()
	for _, t := range d.theta {
		penalty += d.Lambda1 * t
	}
	d.Value = d.Loss + penalty
	d.Look(context.Background(), penalty)
}

// unit returns the first column of a, of length 1 or, with the sign, -1.
func unit[T vec.Float](a vec.Matrix[float64], sign float64) []T {
	column := make([]T, a.Rows)
	long := 0.0
	for i := range column {
		long += a.Row(i)[0] * a.Row(i)[0]
	}
	for i := range column {
		column[i] = T(sign * a.Row(i)[0] / math.Sqrt(long))
	}
	return column
}

// evaluate returns R at the weights theta.
func (d *Descent[T]) evaluate(theta []float64) float64 {
	for j := range d.D {
		clear(d.W.Row(j))
	}
	for i, t := range theta {
		vec.Ger(T(t), d.u[i], d.v[i], d.W)
	}
	d.Loss = d.Sample.Evaluate(d.G, d.W)
	d.Visited += d.N
	for j := range d.D {
		copy(d.h.Row(j), d.G.Row(j))
		vec.Axpy(T(2*d.Lambda2), d.W.Row(j), d.h.Row(j))
	}
	return d.Loss + d.Lambda2*d.Squares()
}

// along returns the slope of R along atom i.
func (d *Descent[T]) along(i int) (slope float64) {
	for j, u := range d.u[i] {
		slope += float64(u) * float64(vec.Dot(d.h.Row(j), d.v[i]))
	}
	return slope
}

// slope returns the largest magnitude of the slopes of I along the atoms with a weight.
func (d *Descent[T]) slope() (most float64) {
	for i := range d.theta {
		most = max(most, math.Abs(d.Lambda1+d.along(i)))
	}
	return most
}

// add takes a step along a new atom, with the decrease that Armijo's rule asks for: twice the last one, and shorter
// ones. It reports whether there was one that is good enough.
func (d *Descent[T]) add(u, v []T) bool {
	const armijo = 0.1
	now := d.Loss + d.Lambda2*d.Squares()
	d.u, d.v, d.theta = append(d.u, u), append(d.v, v), append(d.theta, 0)
	last := len(d.theta) - 1
	slope := d.Lambda1 + d.along(last)
	for length := 2 * d.length; length > 1e-12; length /= 2 {
		d.theta[last] = length
		if d.evaluate(d.theta)+d.Lambda1*length <= now+armijo*length*slope {
			d.length = length
			d.added++
			return true
		}
	}
	d.u, d.v, d.theta = d.u[:last], d.v[:last], d.theta[:last]
	d.evaluate(d.theta)
	return false
}

// weigh finds the best weights, well below the slope of a new atom and epsilon, and drops atoms whose weight is 0.
func (d *Descent[T]) weigh(slope float64) {
	const most = 50 // evaluations
	tol := d.epsilon
	if slope > 0 {
		tol = min(tol, slope/10)
	}
	optim.Nonnegative(d.theta, func(g, theta []float64) float64 {
		value := d.evaluate(theta)
		for i, t := range theta {
			g[i] = d.Lambda1 + d.along(i)
			value += d.Lambda1 * t
		}
		return value
	}, tol, most)
	kept := 0
	d.added = 0
	for i, t := range d.theta {
		if t > 0 {
			d.theta[kept], d.u[kept], d.v[kept] = t, d.u[i], d.v[i]
			kept++
		}
	}
	d.theta = d.theta[:kept]
	d.u, d.v = slices.Delete(d.u, kept, len(d.u)), slices.Delete(d.v, kept, len(d.v))
	d.evaluate(d.theta)
}
