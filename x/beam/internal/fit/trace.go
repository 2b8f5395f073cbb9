package fit

import (
	"context"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// Trace solves problems of tracenorm on the same rows, each from the weights of the one before.
type Trace struct {
	problem tracenorm.Problem[float64]
	config  tracenorm.Config
}

// NewTrace returns the problems of the rows.
func NewTrace(d Data, c tracenorm.Config) *Trace {
	return &Trace{tracenorm.Problem[float64]{X: d.X, Y: d.Y, Names: d.Names}, c}
}

// Solve solves the problem of a Lambda2 with a prior, which may be empty: see tracenorm.Problem.
func (t *Trace) Solve(ctx context.Context, prior vec.Matrix[float64], lambda2 float64) (
	*linear.LowRank[float64], solvers.Outcome, error,
) {
	t.problem.Prior, t.config.Lambda2 = prior, lambda2
	r, err := t.problem.Fit(ctx, t.config)
	if err != nil {
		return nil, solvers.Outcome{}, err
	}
	t.problem.Start = r
	return r.Model, r.Outcome, nil
}

// LargestLambda1 is tracenorm's.
func (t *Trace) LargestLambda1() (float64, error) { return t.problem.LargestLambda1(t.config) }
