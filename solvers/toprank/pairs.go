package toprank

import (
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// PairOptions says how Pairs goes. The zero value of each field is its default.
type PairOptions struct {
	Steps     int  // repeat loops at most; default: 20000, as in the paper
	Every     int  // repeat loops between two evaluations of the objectives; default: Steps
	Violation bool // k is the variable with the largest slope of those that may grow, not a random one
}

// Step is where Pairs was after some repeat loops.
type Step struct {
	Steps        int
	Primal, Dual float64       // of the variables at hand
	Elapsed      time.Duration // in the loops alone, without evaluations
}

// Pairs runs the paper's own method, Algorithm 3.1: each repeat loop chooses a variable k, and of all pairs (k, l)
// moves the one that gains most. It is here to repeat the paper's Table 4 and Figure 3, and for comparison; to train,
// use Fit.
//
// A loop costs O(n) and two rows of Kernel, which is needed: give it a budget of all of them, or they are computed
// again and again. Arithmetic is in T; evaluations, of all pairs of examples, are in float64, and set the scores right.
// It starts from Start, or from uniform variables. It ends with Converged where an evaluation finds the relative gap
// within Config.Tol, else with EpochLimit behind the last loop, an epoch being one of them.
//
// Pairs alone do not reach every optimum, however exact each step is: with TopPushK the caps beta <= S/K, and with
// PatMat and Hinge the maximum in the dual, tie many betas, which then had to move together. With K = 1, and with
// PatMat and Quadratic, they do reach it.
func (p Problem[T]) Pairs(ctx context.Context, c Config, options PairOptions) (*Result[T], []Step, error) {
	r, steps, err := p.pairs(ctx, c, options)
	if err != nil && (r == nil || err != ctx.Err()) {
		err = fmt.Errorf("toprank: %w", err)
	}
	return r, steps, err
}

func (p Problem[T]) pairs(ctx context.Context, c Config, options PairOptions) (*Result[T], []Step, error) {
	switch {
	case ctx == nil:
		return nil, nil, fmt.Errorf("no context")
	case p.Kernel == nil || p.X != nil:
		return nil, nil, fmt.Errorf("Pairs of features: it needs Kernel")
	case options.Steps < 0 || options.Every < 0:
		return nil, nil, fmt.Errorf("Steps = %d, Every = %d, need at least 0", options.Steps, options.Every)
	}
	if options.Steps == 0 {
		options.Steps = 20000
	}
	if options.Every == 0 {
		options.Every = options.Steps
	}
	o, err := p.prepare(c)
	if err != nil {
		return nil, nil, err
	}
	all, err := newTraining(o, nil, p.Kernel)
	if err != nil {
		return nil, nil, err
	}
	alpha, beta := o.uniform()
	if p.Start != nil {
		alpha, beta = append([]float64(nil), p.Start.Alpha...), append([]float64(nil), p.Start.Beta...)
		if err := o.check(alpha, beta); err != nil {
			return nil, nil, err
		}
	}
	a, err := newPairAscent(o, p.Kernel)
	if err != nil {
		return nil, nil, err
	}
	var steps []Step
	var spent time.Duration
	outcome := solvers.Outcome{Tol: o.Tol}
	for done := 0; ; {
		if outcome.Certificate, err = all.certify(alpha, beta); err != nil {
			return nil, steps, fmt.Errorf("after %d steps %w", done, err)
		}
		outcome.Epochs, outcome.Visits = done, 2*done
		steps = append(steps, Step{done, outcome.Certificate.Primal, outcome.Certificate.Dual, spent})
		a.set(all.alpha, all.beta, all.f)
		if outcome.Certificate.RelativeGap() <= o.Tol {
			outcome.Status = solvers.Converged
		} else if done >= options.Steps {
			outcome.Status = solvers.EpochLimit
		} else if ctx.Err() != nil {
			outcome.Status = solvers.Canceled
		}
		if outcome.Status != solvers.Running {
			break
		}
		begin, until := time.Now(), min(done+options.Every, options.Steps)
		for ; done < until && ctx.Err() == nil; done++ {
			a.loop(options.Violation)
		}
		spent += time.Since(begin)
		alpha, beta = a.duals()
	}
	outcome.Passes = float64(outcome.Visits) / float64(len(alpha))
	r, err := p.result(&all.solution, outcome, p.identity(o).Settings+", pairs")
	if err == nil && outcome.Status == solvers.Canceled {
		err = ctx.Err()
	}
	return r, steps, err
}

// uniform returns dual variables to start from: equal alphas, half of the bound that they have with the hinge, and
// equal betas. Some beta must be above 0, or delta is 0.
func (o *objective) uniform() (alpha, beta []float64) {
	n := len(o.positive)
	alpha, beta = make([]float64, n), make([]float64, n)
	for i := range n {
		if o.positive[i] {
			alpha[i] = o.C * o.Theta1 / 2
		}
		if o.ranked(i) {
			beta[i] = 1
		}
	}
	vec.Scale(vec.Sum(alpha)/vec.Sum(beta), beta)
	return alpha, beta
}
