package rankone

import (
	"context"
	"math"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// descent is Algorithm 4.1 under way. W, the risk and its rows p_i - e_y are of the atoms and weights as they are.
type descent[T vec.Float] struct {
	nuclear.Base[T]
	atoms[T]
	epsilon float64
	scores  vec.Matrix[T] // X W, n-by-m
	h       vec.Matrix[T] // the gradient of R, d-by-m, at the last step
	added   int           // atoms since the weights were the best ones
	passes  float64
	status  solvers.Status
	best    nuclear.Duals[T] // of the certificates, and their dual value
	dual    float64
}

// atoms are theta_i u_i v_iᵀ: a row of each matrix for each of them.
type atoms[T vec.Float] struct {
	theta []float64
	u, v  vec.Matrix[T] // of length 1
	x     vec.Matrix[T] // X u_i, of n numbers
}

// append adds an atom.
func (a *atoms[T]) append(theta float64, u, v, x []T) {
	a.theta = append(a.theta, theta)
	for _, m := range []struct {
		rows *vec.Matrix[T]
		row  []T
	}{{&a.u, u}, {&a.v, v}, {&a.x, x}} {
		m.rows.Rows++
		m.rows.Data = append(m.rows.Data, m.row...)
	}
}

// drop takes away the atoms whose weight is 0, and keeps the order of the others.
func (a *atoms[T]) drop() {
	kept := 0
	for i, t := range a.theta {
		if t == 0 {
			continue
		}
		a.theta[kept] = t
		for _, m := range []*vec.Matrix[T]{&a.u, &a.v, &a.x} {
			copy(m.Row(kept), m.Row(i))
		}
		kept++
	}
	a.theta = a.theta[:kept]
	for _, m := range []*vec.Matrix[T]{&a.u, &a.v, &a.x} {
		m.Rows, m.Data = kept, m.Data[:kept*m.Stride]
	}
}

// sum returns sum_i theta_i.
func (a *atoms[T]) sum() (sum float64) {
	for _, t := range a.theta {
		sum += t
	}
	return sum
}

// newDescent returns the method at W = 0.
func newDescent[T vec.Float](b nuclear.Base[T], epsilon float64) *descent[T] {
	d := &descent[T]{Base: b, epsilon: epsilon, scores: risk.Padded[T](b.N, b.M), h: risk.Padded[T](b.D, b.M)}
	d.best = nuclear.NewDuals[T](b.N, b.D, b.M)
	d.u, d.v, d.x = vec.NewMatrix[T](0, b.D), vec.NewMatrix[T](0, b.M), vec.NewMatrix[T](0, b.N)
	d.Sample = risk.New(d.Data, d.Workers)
	d.Loss = d.risk()
	return d
}

// restart continues with another lambda1.
func (d *descent[T]) restart(lambda1 float64) {
	d.Lambda1, d.status, d.passes, d.dual = lambda1, solvers.Running, 0, math.Inf(-1)
}

func (d *descent[T]) Take(ctx context.Context, steps int) (done int) {
	for ; done < steps && ctx.Err() == nil && d.status == solvers.Running; done++ {
		d.step()
	}
	return done
}

func (d *descent[T]) Stopped() solvers.Status { return d.status }

// Look computes a certificate, at the cost of a gradient that Passes do not count. Its dual value is the best so far:
// the bound that dual variables are mixed by is not exact.
func (d *descent[T]) Look() (s papers.Step, err error) {
	d.Sample.Gradient(d.G)
	penalty := d.penalty()
	d.Value = d.Loss + penalty
	d.Base.Look(context.Background(), penalty)
	s.Certificate, err = d.Certify()
	if s.Dual > d.dual {
		d.dual = s.Dual
		replace(&d.best, &d.Dual)
	} else {
		s.Dual = d.dual
		replace(&d.Dual, &d.best)
	}
	s.Count, s.Passes = len(d.theta), d.passes
	return s, err
}

// replace copies dual variables.
func replace[T vec.Float](to, from *nuclear.Duals[T]) {
	copy(to.A.Data, from.A.Data)
	copy(to.G.Data, from.G.Data)
	to.H = from.H
}

// penalty returns lambda1 sum_i theta_i + lambda2 |W|².
func (d *descent[T]) penalty() float64 { return d.Lambda1*d.sum() + d.Lambda2*d.Squares() }

// risk returns the risk at the scores, where it sets the rows p_i - e_y.
func (d *descent[T]) risk() float64 {
	return d.Sample.OfScores(func(i int, row []T) { copy(row, d.scores.Row(i)) })
}

// step is an iteration of Algorithm 4.1, whose lines the comments number.
func (d *descent[T]) step() {
	const regular = 10 // "on a regular basis": atoms between two solutions of (8)

	// 1. The top pair of singular vectors of -grad R(W), up to epsilon/2.
	d.gradient()
	u, v, sigma := d.pair()

	// 2. The slope of I along the atom u vᵀ.
	slope := d.Lambda1 - sigma
	if slope > -d.epsilon/2 { // (C1) may hold: what the power steps have missed decides
		if values := spectral.Values(d.h); len(values) > 0 && values[0] > d.Lambda1+d.epsilon {
			u, v, sigma = d.exactPair()
			slope = d.Lambda1 - sigma
		}
	}

	// 3. A step along it, by line search.
	moved := false
	if slope <= -d.epsilon/2 {
		if moved = d.add(u, v, slope); moved && d.added < regular {
			return
		}
	} else if d.steepest() <= d.epsilon { // 4. (C2) holds besides (C1)
		d.status = solvers.Converged
		return
	}

	// 4. The weights of (8), up to epsilon.
	if !d.weigh() && !moved {
		d.status = solvers.Stalled
	}
}

// gradient sets h to the gradient of R.
func (d *descent[T]) gradient() {
	d.Sample.Gradient(d.h)
	d.passes += .5
	if d.Lambda2 > 0 {
		for j := range d.D {
			vec.Axpy(T(2*d.Lambda2), d.W.Row(j), d.h.Row(j))
		}
	}
}

// steepest returns the largest |lambda1 + u_iᵀ h v_i| of the atoms: what (C2) bounds. O(s d m).
func (d *descent[T]) steepest() (most float64) {
	uh := risk.Padded[T](len(d.theta), d.M)
	vec.GemmWorkers(vec.NoTrans, vec.NoTrans, 1, d.u, d.h, 0, uh, d.Workers)
	for i := range d.theta {
		most = max(most, math.Abs(d.Lambda1+float64(vec.Dot(uh.Row(i), d.v.Row(i)))))
	}
	return most
}
