package topk

import (
	"context"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// TestStopAtEveryEpoch: a training that is stopped at each epoch returns models whose primal value never rises, with
// the certificate that loops find, in every layout.
func TestStopAtEveryEpoch(t *testing.T) {
	prove.Both(t, testStopAtEveryEpoch[float32], testStopAtEveryEpoch[float64])
}

func testStopAtEveryEpoch[T vec.Float](t *testing.T) {
	kept := 0
	for _, r := range resumables[T]() {
		for _, r.c.Workers = range []int{1, 2} {
			kept += stops(t, r)
		}
	}
	if kept == 0 {
		t.Error("every stop ended with the model of its epoch")
	}
}

// stops stops a training at each epoch.
func stops[T vec.Float](t *testing.T, r resumable[T]) (kept int) {
	p, c := r.make(t), r.c
	return statetest.Stops(t, r.name, 12, 0, func(ctx context.Context, s statetest.Stop) (*solvers.Outcome, error) {
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
