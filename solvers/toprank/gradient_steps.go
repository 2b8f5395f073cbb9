package toprank

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// point is dual variables of each of the n examples with the weights w = Xᵀ(alpha - beta) and their scores f = X w.
type point struct{ alpha, beta, w, f []float64 }

func newPoint(n, d int) point {
	all := make([]float64, 3*n+d)
	return point{all[:n:n], all[n : 2*n : 2*n], all[3*n:], all[2*n : 3*n : 3*n]}
}

// gradient is the state of Problem.Gradient.
type gradient struct {
	*objective
	x solvers.Features[float64]

	here, there, kept point               // there is where the losses of here call for, kept has the least primal value
	now, best         solvers.Certificate // of here; the least primal value and the largest dual one
	t                 float64             // the threshold of here
	c                 []float64           // scratch, a number for each example
}

func (p Problem[T]) newGradient(ctx context.Context, c Config) (*gradient, error) {
	switch {
	case ctx == nil:
		return nil, fmt.Errorf("no context")
	case p.Kernel != nil:
		return nil, fmt.Errorf("subgradient steps with a Kernel of %d examples: they need features, X", p.Kernel.Len())
	case p.Start != nil || c.Progress != nil || c.Checkpoint.Save != nil:
		return nil, fmt.Errorf("subgradient steps with Start, Progress or Checkpoint: they begin at 0 and keep no state")
	}
	o, err := p.prepare(c)
	if err != nil {
		return nil, err
	}
	n, d := p.X.Dims()
	return &gradient{
		objective: o, x: solvers.Float64(p.X), here: newPoint(n, d), there: newPoint(n, d), kept: newPoint(n, 0),
		best: solvers.Certificate{Primal: math.Inf(1), Dual: math.Inf(-1)}, c: make([]float64, n),
	}, nil
}

// project sets the weights and the scores of q to those of its dual variables.
func (g *gradient) project(q point) {
	for i := range g.c {
		g.c[i] = q.alpha[i] - q.beta[i]
	}
	clear(q.w)
	w := vec.MatrixOf(len(q.w), 1, q.w)
	solvers.AccumulateAll(w, vec.MatrixOf(len(g.c), 1, g.c), g.x, g.Workers)
	solvers.ScoresAll(vec.MatrixOf(len(q.f), 1, q.f), w, g.x, g.Workers)
}

// look finds the values of the point here.
func (g *gradient) look() error {
	norm := vec.SquaredNorm(g.here.w)
	if size := norm + vec.SquaredNorm(g.here.f); size-size != 0 {
		return fmt.Errorf("weights or scores that are not finite: C or the numbers of X are too large")
	}
	g.now.Primal, g.t = g.primal(g.here.f, norm)
	g.now.Dual = g.dual(g.here.alpha, g.here.beta, norm)
	g.best.Dual = max(g.best.Dual, g.now.Dual)
	if g.now.Primal < g.best.Primal {
		g.best.Primal = g.now.Primal
		copy(g.kept.alpha, g.here.alpha)
		copy(g.kept.beta, g.here.beta)
	}
	return nil
}

// answer sets the dual variables of the point there.
func (g *gradient) answer() {
	sum := 0.0
	for i, v := range g.here.f {
		if g.positive[i] {
			_, slope := g.Loss.loss(g.Theta1, g.t-v)
			g.there.alpha[i] = g.C * slope
			sum += g.C * slope
		}
		if g.c[i] = v; !g.ranked(i) {
			g.c[i] = math.Inf(-1)
		}
	}
	beta := g.there.beta
	clear(beta)
	if _, slopes := g.passing(g.c, g.t); g.Method == PatMat && slopes > 0 {
		for j, v := range g.c {
			_, slope := g.Loss.loss(g.Theta2, v-g.t)
			beta[j] = sum * (slope / slopes)
		}
		return
	}
	top := make([]int, max(g.K, 1)) // one of PatMat where rounding lets none pass
	solvers.Rank(top, g.c)
	for _, j := range top {
		beta[j] = sum / float64(len(top))
	}
}

// step goes to the point there as far as the dual rises by the least that is known of it.
func (g *gradient) step() {
	g.answer()
	g.project(g.there)
	p1 := g.curvature() / 2
	apart := p1 * vec.SquaredDistance(g.there.alpha, g.here.alpha)
	rise, bend := g.now.Gap()+apart, vec.SquaredDistance(g.there.w, g.here.w)+2*apart
	eta := 1.0
	if rise < bend {
		eta = max(rise/bend, 0)
	}
	there := [][]float64{g.there.alpha, g.there.beta, g.there.w, g.there.f}
	for k, v := range [][]float64{g.here.alpha, g.here.beta, g.here.w, g.here.f} {
		vec.Scale(1-eta, v)
		vec.Axpy(eta, there[k], v)
	}
}

// trained returns the best model and the dual variables of the last point, whose dual value is the largest, and
// certifies both from scratch.
func trained[T vec.Float](p Problem[T], g *gradient, status solvers.Status, steps int) (*Result[T], error) {
	g.feasible(g.here.alpha, g.here.beta)
	last := solution[T]{alpha: g.here.alpha, beta: g.here.beta}
	best := solution[T]{alpha: g.kept.alpha, beta: g.kept.beta}
	certificate, err := last.certify(g.objective, p.X, g.here.f)
	if err != nil {
		return nil, err
	}
	dual := certificate.Dual
	if certificate, err = best.certify(g.objective, p.X, g.kept.f); err != nil {
		return nil, err
	}
	certificate.Dual, best.alpha, best.beta = dual, last.alpha, last.beta
	if status == solvers.Converged && certificate.RelativeGap() > g.Tol {
		status = solvers.Stalled // for the rounding of the weights
	}
	o := solvers.Outcome{Status: status, Certificate: certificate, Tol: g.Tol, Epochs: steps, Visits: steps * len(g.c),
		Passes: float64(steps)}
	return p.result(&best, o, p.identity(g.objective).Settings+", subgradient steps")
}
