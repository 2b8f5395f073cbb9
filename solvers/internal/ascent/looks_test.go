package ascent

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
	p := gaussian[T](t, 300, 1e-2)
	o := Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}, BlockSize: 16, ActiveFrom: 40}
	id := train.Identity{Family: "test", Data: p.Fingerprint}
	holds := statetest.Anywhere(t, "levels", 100, func(ctx context.Context, stop statetest.Stop) (string,
		*solvers.Outcome, error) {
		s, err := newKernelSolver(p, o)
		if err != nil {
			return "", nil, err
		}
		var clock train.Clock[T]
		if stop.State != nil {
			if err := train.Resume(stop.State, id, &clock, s); err != nil {
				return "", nil, err
			}
		}
		got, err := train.Run(ctx, s, train.Options[T]{Options: solvers.Options{Tol: o.Tol, Epochs: stop.Epochs,
			Checkpoint: stop.Checkpoint}, Identity: id}, &clock)
		return statetest.End(got.Outcome, got.Primal, s.a.Data, s.at), &got.Outcome, err
	})
	if holds < 3 {
		t.Errorf("%d looks before work that takes long, want the levels' looks too", holds)
	}
}
