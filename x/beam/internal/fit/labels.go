package fit

import (
	"context"

	"github.com/dualgap/dualgap/solvers/m3l"
)

// Labels is m3l's Fit, without a prior R.
func Labels(ctx context.Context, d Data, c m3l.Config) (s Solution, err error) {
	r, err := m3l.Fit(ctx, d.X, d.Sets, c)
	if err != nil {
		return s, err
	}
	s.Outcome, s.Duals = r.Outcome, r.Duals
	if s.Model, err = file(r.Model); err == nil {
		s.W, err = r.Model.Linear.Prior(c.Bias)
	}
	return s, err
}
