package toprank

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestStopAtEveryEpoch: a training that is stopped at each epoch, with each method and loss and within queries, returns
// models whose primal value never rises, with the certificate that loops find.
func TestStopAtEveryEpoch(t *testing.T) {
	prove.Both(t, testStopAtEveryEpoch[float32], testStopAtEveryEpoch[float64])
}

func testStopAtEveryEpoch[T vec.Float](t *testing.T) {
	variants := ranktruth.Draw(rand.New(rand.NewPCG(41, 42)), 40, 4).Variants()
	kept := 0
	for _, truth := range append(variants, ranktruth.Grouped(variants)...) {
		for _, truth := range []ranktruth.Problem{truth, linearOf(truth)} {
			forms := []string{"kernel"}
			if truth.Kernel == (kernel.Linear{}) {
				forms = []string{"dense"}
			}
			if truth.Groups != nil {
				forms = append(forms, forms[0]+", visits")
			}
			for _, form := range forms {
				kept += stops(t, truth, form, problemsOf[T](t, truth)[form])
			}
		}
	}
	if kept == 0 {
		t.Error("every stop ended with the model of its epoch")
	}
}

// stops stops a training at each epoch.
func stops[T vec.Float](t *testing.T, truth ranktruth.Problem, form string, p Problem[T]) (kept int) {
	c := configOf(truth)
	c.Tol, c.Seed, c.Workers = 1e-6, 5, 1+len(form)%2
	return statetest.Stops(t, truth.Name+", "+form, 8, 0, func(ctx context.Context, s statetest.Stop) (*solvers.Outcome,
		error) {
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
		honest(t, truth, p, r)
		return &r.Outcome, err
	})
}
