package toprank

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/toprank/internal/subgradient"
	"github.com/dualgap/dualgap/vec"
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
// whose weights less w are a direction in which the primal falls. A step takes the dual variables of w towards these,
// as far as the dual is sure to rise: the gap falls as 1/steps, the primal may rise at times. The best model is kept.
//
// Of c it reads what the problem is, Tol and Workers; Kernel, Start, Progress and Checkpoint are errors. It returns the
// history as well, from the start to the end: the least primal and the largest dual value so far. The Status is
// EpochLimit after o.Steps, and Epochs are steps. When ctx ends it returns the model so far and ctx.Err(). Memory: 10 n
// numbers, and 2 d.
func (p Problem[T]) Gradient(ctx context.Context, c Config, o GradientOptions) (*Result[T], []Step, error) {
	m := train.Steps[T]{Most: 10000, Every: 1, Look: 1, Visits: len(p.Positive)}
	g, s, err := p.beforeGradient(ctx, c)
	if err == nil {
		err = limits(&m, o.Steps, o.Every)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("toprank: %w", err)
	}
	m.Method = &descent[T]{base[T]{objective: g, x: p.X}, s}
	m.Advance = func(int) int {
		s.Step()
		return 1
	}
	return p.compare(ctx, g, "subgradient steps", m, func(end *train.Ended[T]) error {
		// The best model with the dual variables of the last point, whose dual value is the largest, both certified
		// anew.
		g.Feasible(s.Here.Alpha, s.Here.Beta)
		last := base[T]{objective: g, x: p.X, f: s.Here.F, alpha: s.Here.Alpha, beta: s.Here.Beta}
		best := base[T]{objective: g, x: p.X, f: s.Kept.F, alpha: s.Kept.Alpha, beta: s.Kept.Beta}
		certificate, err := last.byWeights()
		if err == nil {
			end.Certificate, err = best.byWeights()
		}
		end.Certificate.Dual, end.Dual = certificate.Dual, *last.DualVariables()
		if end.Status == solvers.Converged && end.Certificate.RelativeGap() > end.Tol {
			end.Status = solvers.Stalled // for the rounding of the weights
		}
		if err == nil && !end.ZeroModel {
			end.Primal, err = best.model(nil)
		}
		return err
	})
}

// descent is the method for its certificates, which are of the best points: these it keeps itself.
type descent[T vec.Float] struct {
	base[T]
	*subgradient.Solver
}

func (d *descent[T]) Certify() (solvers.Certificate, error) { return d.Certificate() }

func (d *descent[T]) PrimalVariables() (v train.Variables[T], err error) { return v, nil }

func (d *descent[T]) DualVariables() *train.Variables[T] { return new(train.Variables[T]) }

// beforeGradient returns the method at 0.
func (p Problem[T]) beforeGradient(ctx context.Context, c Config) (*objective, *subgradient.Solver, error) {
	switch {
	case ctx == nil:
		return nil, nil, fmt.Errorf("no context")
	case p.Kernel != nil:
		return nil, nil, fmt.Errorf("subgradient steps with a Kernel of %d examples: they need features, X",
			p.Kernel.Len())
	case p.Groups != nil:
		return nil, nil, fmt.Errorf("subgradient steps with Groups: Fit, Resume and Path alone train within queries")
	case p.Start != nil || c.Progress != nil || c.Checkpoint.Save != nil:
		return nil, nil, fmt.Errorf("subgradient steps with Start, Progress or Checkpoint: they begin at 0 and keep " +
			"no state")
	}
	o, err := p.prepare(c)
	if err != nil {
		return nil, nil, err
	}
	norms := make([]T, len(o.Positive))
	p.X.SquaredNorms(norms)
	if err := finite(norms); err != nil {
		return nil, nil, err
	}
	t := 0.0 // the threshold of the point judged last
	return o, subgradient.New(subgradient.Problem{
		X: design.Float64(p.X), P1: o.Curvature() / 2, Workers: o.Workers,
		Judge: func(at subgradient.Point, norm float64) (c solvers.Certificate) {
			c.Primal, t = o.Primal(at.F, norm)
			c.Dual = o.Dual(at.Alpha, at.Beta, norm)
			return c
		},
		Answer: func(alpha, beta []float64, at subgradient.Point) { o.Answer(alpha, beta, at.F, t) },
	}), nil
}
