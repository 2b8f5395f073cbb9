package m3l

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/m3l/internal/smo"
	"github.com/dualgap/dualgap/vec"
)

// SMOOptions says how the paper's method goes.
type SMOOptions struct {
	Tau        float64 // it ends when every projected gradient, for the paper's alpha, is smaller, > 0; default: 1e-3
	Iterations int     // of two variables each, at most; default: no limit
	Every      int     // iterations between two steps of the history; default: as many as examples

	// ByLabel trains the labels one after the other, as 1-vs-all does, which needs an R that is empty or diagonal.
	// Otherwise each iteration is at the label that needs it most, L of them at a time.
	ByLabel bool
}

// Step is a point in the history of the paper's method.
type Step struct {
	Iterations int
	Dual       float64 // value of all labels together: (25), and the constant C sum_il Δ+ that it leaves out
	Elapsed    time.Duration
}

// SMO trains by the paper's own method, Algorithms 1 and 2 with working sets of two (31), (32), (30), and delayed
// gradients (34) to (36): for comparison, since Fit is many times faster. It needs a Kernel, whose rows it asks for one
// at a time, and whose budget is its cache; it takes the losses Hamming and Hinge, or Margins. Of c it reads C, Loss,
// Labels and Costs, and Workers for the certificate; Start, Progress and Checkpoint are errors.
//
// It returns the history as well, from the start to the end. The result's Epochs are iterations. Its Status is
// Converged where no gradient is Tau or larger, whatever the gap, which its certificate tells; and EpochLimit after
// o.Iterations. The Duals are those of the method, or, where it stopped early and that is better, a multiple of them.
// When ctx ends it returns the model so far and ctx.Err().
//
// An iteration costs two rows of K and O(n), and every L of them O(n L). Memory: that of Fit, and 3 n L float64
// numbers.
func (p Problem[T]) SMO(ctx context.Context, c Config, o SMOOptions) (*Result[T], []Step, error) {
	problem, t, err := p.prepareSMO(ctx, c)
	options := smo.Options(o)
	if err == nil {
		options, err = options.WithDefaults(p.Kernel.Len(), p.R)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("m3l: %w", err)
	}
	s := smo.New(problem, options)
	status, stopped := s.Solve(ctx)
	if dual := s.Dual(); dual-dual != 0 {
		return nil, nil, fmt.Errorf("m3l: a dual value of %v after %d iterations: C or margins are too large",
			dual, s.Iterations())
	}
	duals := vec.NewMatrix[T](p.Kernel.Len(), problem.Outputs)
	s.Duals(duals)
	tol := t.Options.Tol
	t.Options.Tol, t.Start = math.MaxFloat64, &duals // a certificate of the start, and no training
	t.Settings = fmt.Sprintf("%s, SMO with tau %v", t.Settings, options.Tau)
	end, err := family.Run(ctx, t, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("m3l: %w", err)
	}
	end.Outcome.Status, end.Outcome.Epochs, end.Outcome.Tol = status, s.Iterations(), tol
	if !end.Outcome.ZeroModel {
		end.Outcome.ModelEpoch = end.Outcome.Epochs
	}
	var steps []Step
	for _, step := range s.Steps() {
		steps = append(steps, Step(step))
	}
	return end, steps, stopped
}

// prepareSMO returns the problem as the paper's method takes it, and as the engine does for the certificate.
func (p Problem[T]) prepareSMO(ctx context.Context, c Config) (s smo.Problem[T], t *prepared[T], err error) {
	switch {
	case ctx == nil:
		return s, nil, fmt.Errorf("no context")
	case p.Kernel == nil:
		return s, nil, fmt.Errorf("SMO without Kernel: it needs one, such as kernel.Linear of X")
	case p.P.Rows > 0:
		return s, nil, fmt.Errorf("SMO with P, %d-by-%d: it needs R = PᵀP formed", p.P.Rows, p.P.Cols)
	case c.Loss == SquaredHinge:
		return s, nil, fmt.Errorf("SMO with Loss = %v, need Hamming or Hinge", c.Loss)
	case p.Start != nil || c.Progress != nil || c.Checkpoint.Save != nil:
		return s, nil, fmt.Errorf("SMO with Start, Progress or Checkpoint: it starts from 0, and returns its history")
	}
	if t, err = p.prepare(c); err != nil {
		return s, nil, err
	}
	inner := &t.Problem
	s = smo.Problem[T]{Kernel: p.Kernel, R: p.R, Outputs: inner.Outputs, Labels: inner.Labels.Of, Margins: p.Margins}
	// A weight r_i of the engine is that of max(0, 1 - y s), half of Hamming's.
	s.Cost = func(i, l int) float64 {
		if c.Costs != nil {
			return inner.Radius[i] / 2 * c.Costs[l]
		}
		return inner.Radius[i] / 2
	}
	return s, t, nil
}
