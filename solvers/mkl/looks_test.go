package mkl

import (
	"context"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// TestEndAnywhere: wherever the context of a training ends, a state is saved from which training goes on to the same
// bits.
func TestEndAnywhere(t *testing.T) { prove.Both(t, testEndAnywhere[float32], testEndAnywhere[float64]) }

func testEndAnywhere[T vec.Float](t *testing.T) {
	p, c := small[T](t)
	if prove.IsF32[T]() {
		c.Tol = 1e-4
	}
	statetest.Anywhere(t, "small", 300, func(ctx context.Context, s statetest.Stop) (string, *solvers.Outcome, error) {
		c.Epochs, c.Checkpoint = s.Epochs, s.Checkpoint
		var r *Result[T]
		var err error
		if s.State == nil {
			r, err = p.Fit(ctx, c)
		} else {
			r, err = p.Resume(ctx, s.State, c)
		}
		if r == nil {
			return "", nil, err
		}
		return statetest.End(r.Outcome, r.Duals.Data, r.Eta, r.Norms, r.Steps, r.Rounds), &r.Outcome, err
	})
}
