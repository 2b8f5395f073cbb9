package ranking

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// Subgradient trains a linear model by steps along subgradients of the primal (4). It begins at 0; Steps are 10000 by
// default, and Every is 1. When ctx ends it returns the result so far and ctx.Err().
//
// At the scores f = X w the losses ask for dual variables that are feasible,
//
//	alpha_i = C l1'(t - f_i),  beta_j = S dt/df_j with S = sum alpha,
//
// whose weights are u, and w - u is a subgradient. A step w += eta (u - w) takes the dual variables of w as far towards
// these, so that each point has its gap. With -p1 |alpha|² in the dual, D has by then become at least
//
//	D + eta (P - D) + eta (1 - eta) p1 |Δalpha|² - eta²/2 |u - w|²
//
// and eta is where that is largest, in [0, 1]: the dual never falls, and the gap does as 1/steps (Bach, Duality between
// subgradient and conditional gradient methods, 2015). The primal may rise at times: the history has the least of it so
// far, and the result the last dual variables. A step is two products with x, O(n d), in float64. Memory: 7 n numbers,
// and 2 d.
func Subgradient[T vec.Float](ctx context.Context, x design.Matrix[T], l Losses, o Options) (*Result, error) {
	n, _, err := design.Validate(x)
	if err != nil {
		return nil, fmt.Errorf("ranking: %w", err)
	}
	objective, o, err := l.objective(ctx, n, 10000, 1, o)
	if err != nil {
		return nil, fmt.Errorf("ranking: %w", err)
	}
	s := newDescent(design.Float64(x), objective, o.Workers)
	end, err := papers.Run(ctx, s, o.Options, o.Tol)
	if end.Status == solvers.Running {
		return nil, fmt.Errorf("ranking: %w", err)
	}
	objective.Feasible(s.here.alpha, s.here.beta)
	return &Result{end, s.here.alpha, s.here.beta}, err
}

// point is dual variables of each of the n examples with the weights w = Xᵀ(alpha - beta) and their scores f = X w.
type point struct{ alpha, beta, w, f []float64 }

func newPoint(n, d int) point {
	all := make([]float64, 3*n+d)
	return point{all[:n:n], all[n : 2*n : 2*n], all[3*n:], all[2*n : 3*n : 3*n]}
}

// descent is the method under way. There is what the losses of here asked for at the last step.
type descent struct {
	here, there point
	now, best   solvers.Certificate // of here; the least primal value and the largest dual one
	threshold   float64             // t of here
	x           design.Matrix[float64]
	o           *toploss.Objective
	workers     int
	c           []float64 // scratch, a number for each example
	steps       int
}

// newDescent returns the method at 0.
func newDescent(x design.Matrix[float64], o *toploss.Objective, workers int) *descent {
	n, d := x.Dims()
	s := &descent{here: newPoint(n, d), there: newPoint(n, d), x: x, o: o, workers: workers, c: make([]float64, n),
		best: solvers.Certificate{Primal: math.Inf(1), Dual: math.Inf(-1)}}
	s.measure()
	return s
}

func (s *descent) Take(ctx context.Context, steps int) (done int) {
	for ; done < steps && ctx.Err() == nil && s.now.Gap()-s.now.Gap() == 0; done++ {
		s.step()
	}
	s.steps += done
	return done
}

func (s *descent) Look() (papers.Step, error) {
	if _, err := finite(s.now); err != nil {
		return papers.Step{}, err
	}
	return papers.Step{Certificate: s.best, Passes: float64(s.steps)}, nil
}

// measure finds the values of the point here.
func (s *descent) measure() {
	norm := vec.SquaredNorm(s.here.w)
	s.now.Primal, s.threshold = s.o.Primal(s.here.f, norm)
	s.now.Dual = s.o.Dual(s.here.alpha, s.here.beta, norm)
	s.best = solvers.Certificate{Primal: min(s.best.Primal, s.now.Primal), Dual: max(s.best.Dual, s.now.Dual)}
}

// step goes to the point there as far as the dual rises by the least that is known of it.
func (s *descent) step() {
	here, there := s.here, s.there
	s.o.Answer(there.alpha, there.beta, here.f, s.threshold)
	s.project(there)
	apart := s.o.Curvature() / 2 * vec.SquaredDistance(there.alpha, here.alpha)
	rise, bend := s.now.Gap()+apart, vec.SquaredDistance(there.w, here.w)+2*apart
	eta := 1.0
	if rise < bend {
		eta = max(rise/bend, 0)
	}
	to := [][]float64{there.alpha, there.beta, there.w, there.f}
	for k, v := range [][]float64{here.alpha, here.beta, here.w, here.f} {
		vec.Scale(1-eta, v)
		vec.Axpy(eta, to[k], v)
	}
	s.measure()
}

// project sets the weights and the scores of q by its dual variables.
func (s *descent) project(q point) {
	for i := range s.c {
		s.c[i] = q.alpha[i] - q.beta[i]
	}
	clear(q.w)
	w := vec.MatrixOf(len(q.w), 1, q.w)
	design.AccumulateAll(w, vec.MatrixOf(len(s.c), 1, s.c), s.x, s.workers)
	design.ScoresAll(vec.MatrixOf(len(q.f), 1, q.f), w, s.x, s.workers)
}
