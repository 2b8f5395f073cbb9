package m3l

import (
	"bytes"
	"context"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
)

// TestOtherMargins: a state of a user's own loss is refused where one of its numbers is another one.
func TestOtherMargins(t *testing.T) {
	r := states[float64]().Trainings[0]
	plain := r.Make
	margins := func(i, l int, by float64) func(t testing.TB) Problem[float64] {
		return func(t testing.TB) Problem[float64] {
			p := plain(t)
			p.Margins = func(k int, plus, minus []float64) {
				if someMargins(k, plus, minus); k == i {
					minus[l] += by
				}
			}
			return p
		}
	}
	r.Make = margins(3, 1, 0)
	state := states[float64]().Stopped(t, r, nil, statetest.Soon(4))
	if got, err := r.Make(t).Resume(context.Background(), bytes.NewReader(state), r.Config); err != nil ||
		got.Status != solvers.Converged {
		t.Error(told(got), err)
	}
	_, err := margins(3, 1, 1e-9)(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
	contains(t, err, "m3l: a state of another training: its settings are")
	_, err = plain(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
	contains(t, err, "m3l: a state of another training: its settings are")
}
