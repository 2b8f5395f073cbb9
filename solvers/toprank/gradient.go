package toprank

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
)

// GradientOptions says how Problem.Gradient goes.
type GradientOptions struct {
	Steps int // at most; default: 10000
	Every int // steps between two entries of the history; default: 1
}

func (o GradientOptions) withDefaults() (GradientOptions, error) {
	if o.Steps < 0 || o.Every < 0 {
		return o, fmt.Errorf("Steps = %d, Every = %d, need at least 0", o.Steps, o.Every)
	}
	o.Steps, o.Every = cmp.Or(o.Steps, 10000), cmp.Or(o.Every, 1)
	return o, nil
}

// Gradient trains a linear model by steps along subgradients of the primal (4): for comparison, since Fit needs fewer
// passes over the data. It needs X, in any storage, and no kernel matrix; a step is two products with X, O(n d).
//
// At the scores f = X w the losses call for dual variables that are feasible,
//
//	alpha_i = C l1'(t - f_i),  beta_j = S dt/df_j with S = sum alpha,
//
// whose weights are u = Xᵀ(alpha - beta), and w - u is a subgradient. A step w += eta (u - w) takes the dual variables
// of w as far towards these, so that each point has its gap. With p1 of the dual, D has by then become at least
//
//	D + eta (P - D) + eta (1 - eta) p1 |Δalpha|² - eta²/2 |u - w|²
//
// and eta is where that is largest, in [0, 1]: the dual never falls, and the gap does as 1/steps (Bach, Duality between
// subgradient and conditional gradient methods, 2015). The primal may rise at times. The best model is kept.
//
// Of c it reads what the problem is, Tol and Workers; Kernel, Start, Progress and Checkpoint are errors. It returns the
// history as well, from the start to the end: the least primal and the largest dual value so far. The Status is
// EpochLimit after o.Steps, and Epochs are steps. When ctx ends it returns the model so far and ctx.Err(). Memory: 10 n
// numbers, and 2 d.
func (p Problem[T]) Gradient(ctx context.Context, c Config, o GradientOptions) (*Result[T], []Step, error) {
	g, err := p.newGradient(ctx, c)
	if err == nil {
		o, err = o.withDefaults()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("toprank: %w", err)
	}
	start, status := time.Now(), solvers.Running
	var history []Step
	for steps := 0; ; steps++ {
		if err := g.look(); err != nil {
			return nil, history, fmt.Errorf("toprank: step %d: %w", steps, err)
		}
		switch {
		case g.best.RelativeGap() <= g.Tol:
			status = solvers.Converged
		case ctx.Err() != nil:
			status = solvers.Canceled
		case steps == o.Steps:
			status = solvers.EpochLimit
		}
		if steps%o.Every == 0 || status != solvers.Running {
			history = append(history, Step{steps, g.best.Primal, g.best.Dual, time.Since(start)})
		}
		if status != solvers.Running {
			r, err := trained(p, g, status, steps)
			if err != nil {
				return nil, history, fmt.Errorf("toprank: %w", err)
			}
			return r, history, ctx.Err()
		}
		g.step()
	}
}
