package mkl

import (
	"context"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// TestStopAtEveryEpoch: a training that is stopped at each epoch returns models whose primal value never rises, with
// the certificate that loops find.
func TestStopAtEveryEpoch(t *testing.T) {
	prove.Both(t, testStopAtEveryEpoch[float32], testStopAtEveryEpoch[float64])
}

func testStopAtEveryEpoch[T vec.Float](t *testing.T) {
	p := views[T](t, 4, 40, 3)
	for name, c := range map[string]Config{
		"hinge": {P: 1.1, C: 10, Tol: 1e-5, Workers: 1}, "Usunier": {P: 1.5, C: 3, K: 2, Loss: TopKUsunier, Tol: 1e-5,
			Workers: 2},
	} {
		statetest.Stops(t, name, 12, 0, func(ctx context.Context, s statetest.Stop) (*solvers.Outcome, error) {
			c.Epochs, c.Progress, c.Checkpoint = s.Epochs, s.Progress, s.Checkpoint
			var r *Result[T]
			var err error
			if s.State == nil {
				r, err = p.Fit(ctx, c)
			} else {
				r, err = p.Resume(ctx, s.State, c)
			}
			if r == nil {
				return nil, err
			}
			honest(t, p, c, r)
			return &r.Outcome, err
		})
	}
}
