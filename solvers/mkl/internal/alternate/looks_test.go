package alternate

import (
	"context"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// TestEndAnywhere: wherever the context of a training by levels ends, a state is saved from which training goes on to
// the same bits.
func TestEndAnywhere(t *testing.T) { prove.Both(t, testEndAnywhere[float32], testEndAnywhere[float64]) }

func testEndAnywhere[T vec.Float](t *testing.T) {
	p := blobs[T](t, 240, 3, 1.1, 1)
	p.Tol, p.ActiveFrom = 1e-3, 80
	holds := statetest.Anywhere(t, "levels", 30, func(ctx context.Context, stop statetest.Stop) (string,
		*solvers.Outcome, error) {
		p.Epochs = stop.Epochs
		s, clock, o := solver(t, p), train.Clock[T]{}, options(p)
		o.Epochs, o.Checkpoint = stop.Epochs, stop.Checkpoint
		if stop.State != nil {
			if err := train.Resume(stop.State, o.Identity, &clock, s); err != nil {
				return "", nil, err
			}
		}
		got, err := train.Run(ctx, s, o, &clock)
		return statetest.End(got.Outcome, got.Primal, s.Duals().Data), &got.Outcome, err
	})
	if holds < 6 {
		t.Errorf("%d looks before work that takes long, want the levels' looks too", holds)
	}
}
