// Package subgradient trains linear models with two sides of dual variables, w = Xᵀ(alpha - beta), by steps along
// subgradients of the primal.
//
// At the scores f = X w the losses call for dual variables that are feasible, whose weights are u, and w - u is a
// subgradient. A step w += eta (u - w) takes the dual variables of w as far towards these, so that each point has its
// gap. With -p1 |alpha|² in the dual, D has by then become at least
//
//	D + eta (P - D) + eta (1 - eta) p1 |Δalpha|² - eta²/2 |u - w|²
//
// and eta is where that is largest, in [0, 1]: the dual never falls, and the gap does as 1/steps (Bach, Duality between
// subgradient and conditional gradient methods, 2015). The primal may rise at times.
package subgradient

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Problem is what is minimised.
type Problem struct {
	X       design.Matrix[float64] // n-by-d
	P1      float64                // see above
	Workers int

	// Judge returns the certificate of a point with |w|² = norm.
	Judge func(at Point, norm float64) solvers.Certificate

	// Answer sets alpha and beta to what the losses call for at the scores of the point judged last.
	Answer func(alpha, beta []float64, at Point)
}

// Point is dual variables of each of the n examples with the weights w = Xᵀ(alpha - beta) and their scores f = X w.
type Point struct{ Alpha, Beta, W, F []float64 }

func newPoint(n, d int) Point {
	all := make([]float64, 3*n+d)
	return Point{all[:n:n], all[n : 2*n : 2*n], all[3*n:], all[2*n : 3*n : 3*n]}
}

// Solver is a problem on its way. There is where the losses of Here call for, once there has been a step, and Kept has
// the least primal value so far, without weights.
type Solver struct {
	Here, There, Kept Point
	Now, Best         solvers.Certificate // of Here; the least primal value and the largest dual one
	p                 Problem
	c                 []float64 // scratch, a number for each example
}

// New returns a Solver at 0. It takes 10 n numbers, and 2 d.
func New(p Problem) *Solver {
	n, d := p.X.Dims()
	s := &Solver{
		Here: newPoint(n, d), There: newPoint(n, d), Kept: newPoint(n, 0), p: p, c: make([]float64, n),
		Best: solvers.Certificate{Primal: math.Inf(1), Dual: math.Inf(-1)},
	}
	s.measure()
	return s
}

// Certificate returns Best, or an error where numbers are not finite.
func (s *Solver) Certificate() (solvers.Certificate, error) {
	if size := vec.SquaredNorm(s.Here.W) + vec.SquaredNorm(s.Here.F); size-size != 0 {
		return s.Best, fmt.Errorf("weights or scores that are not finite: C or the numbers of X are too large")
	}
	return s.Best, nil
}

// measure finds the values of the point here.
func (s *Solver) measure() {
	s.Now = s.p.Judge(s.Here, vec.SquaredNorm(s.Here.W))
	s.Best.Dual = max(s.Best.Dual, s.Now.Dual)
	if s.Now.Primal < s.Best.Primal {
		s.Best.Primal = s.Now.Primal
		copy(s.Kept.Alpha, s.Here.Alpha)
		copy(s.Kept.Beta, s.Here.Beta)
	}
}

// Step goes to the point there as far as the dual rises by the least that is known of it. It costs two products with X.
func (s *Solver) Step() {
	here, there := s.Here, s.There
	s.p.Answer(there.Alpha, there.Beta, here)
	s.project(there)
	apart := s.p.P1 * vec.SquaredDistance(there.Alpha, here.Alpha)
	rise, bend := s.Now.Gap()+apart, vec.SquaredDistance(there.W, here.W)+2*apart
	eta := 1.0
	if rise < bend {
		eta = max(rise/bend, 0)
	}
	to := [][]float64{there.Alpha, there.Beta, there.W, there.F}
	for k, v := range [][]float64{here.Alpha, here.Beta, here.W, here.F} {
		vec.Scale(1-eta, v)
		vec.Axpy(eta, to[k], v)
	}
	s.measure()
}

// project sets the weights and the scores of q to those of its dual variables.
func (s *Solver) project(q Point) {
	for i := range s.c {
		s.c[i] = q.Alpha[i] - q.Beta[i]
	}
	clear(q.W)
	w := vec.MatrixOf(len(q.W), 1, q.W)
	design.AccumulateAll(w, vec.MatrixOf(len(s.c), 1, s.c), s.p.X, s.p.Workers)
	design.ScoresAll(vec.MatrixOf(len(q.F), 1, q.F), w, s.p.X, s.p.Workers)
}
