package toprank

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/subgradient"
	"github.com/dualgap/dualgap/solvers/internal/train"
)

// GradientOptions says how Problem.Gradient goes.
type GradientOptions struct {
	Steps int // at most; default: 10000
	Every int // steps between two entries of the history; default: 1
}

// Gradient trains a linear model by steps along subgradients of the primal (4): for comparison, since Fit needs fewer
// passes over the data. It needs X, in any storage, and no kernel matrix; a step is two products with X, O(n d).
//
// At the scores f = X w the losses call for dual variables that are feasible,
//
//	alpha_i = C l1'(t - f_i),  beta_j = S dt/df_j with S = sum alpha,
//
// whose weights less w are a direction in which the primal falls. A step takes the dual variables of w towards these, as far
// as the dual is sure to rise: the gap falls as 1/steps, the primal may rise at times. The best model is kept.
//
// Of c it reads what the problem is, Tol and Workers; Kernel, Start, Progress and Checkpoint are errors. It returns the
// history as well, from the start to the end: the least primal and the largest dual value so far. The Status is
// EpochLimit after o.Steps, and Epochs are steps. When ctx ends it returns the model so far and ctx.Err(). Memory: 10 n
// numbers, and 2 d.
func (p Problem[T]) Gradient(ctx context.Context, c Config, o GradientOptions) (*Result[T], []Step, error) {
	m := train.Steps{Most: 10000, Every: 1, Look: 1, Visits: len(p.Positive)}
	g, s, err := p.beforeGradient(ctx, c)
	if err == nil {
		err = limits(&m, o.Steps, o.Every)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("toprank: %w", err)
	}
	m.Certificate = s.Certificate
	m.Advance = func(int) int {
		s.Step()
		return 1
	}
	return p.compare(ctx, g, "subgradient steps", m, func(outcome *solvers.Outcome) (*base[T], error) {
		// The best model with the dual variables of the last point, whose dual value is the largest, both certified anew.
		g.Feasible(s.Here.Alpha, s.Here.Beta)
		last := base[T]{objective: g, x: p.X, f: s.Here.F, alpha: s.Here.Alpha, beta: s.Here.Beta}
		best := base[T]{objective: g, x: p.X, f: s.Kept.F, alpha: s.Kept.Alpha, beta: s.Kept.Beta}
		certificate, err := last.byWeights()
		if err == nil {
			outcome.Certificate, err = best.byWeights()
		}
		outcome.Certificate.Dual, best.alpha, best.beta = certificate.Dual, last.alpha, last.beta
		if outcome.Status == solvers.Converged && outcome.Certificate.RelativeGap() > outcome.Tol {
			outcome.Status = solvers.Stalled // for the rounding of the weights
		}
		return &best, err
	})
}

// beforeGradient returns the method at 0.
func (p Problem[T]) beforeGradient(ctx context.Context, c Config) (*objective, *subgradient.Solver, error) {
	switch {
	case ctx == nil:
		return nil, nil, fmt.Errorf("no context")
	case p.Kernel != nil:
		return nil, nil, fmt.Errorf("subgradient steps with a Kernel of %d examples: they need features, X", p.Kernel.Len())
	case p.Start != nil || c.Progress != nil || c.Checkpoint.Save != nil:
		return nil, nil, fmt.Errorf("subgradient steps with Start, Progress or Checkpoint: they begin at 0 and keep no state")
	}
	o, err := p.prepare(c)
	if err != nil {
		return nil, nil, err
	}
	t := 0.0 // the threshold of the point judged last
	return o, subgradient.New(subgradient.Problem{
		X: solvers.Float64(p.X), P1: o.Curvature() / 2, Workers: o.config.Workers,
		Judge: func(at subgradient.Point, norm float64) (c solvers.Certificate) {
			c.Primal, t = o.Primal(at.F, norm)
			c.Dual = o.Dual(at.Alpha, at.Beta, norm)
			return c
		},
		Answer: func(alpha, beta []float64, at subgradient.Point) { o.Answer(alpha, beta, at.F, t) },
	}), nil
}
