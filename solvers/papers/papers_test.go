package papers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// halving is a method of any number of steps whose dual value is 1 - 1/(1+steps), in two parts.
type halving struct{ done, part int }

func (m *halving) Take(_ context.Context, steps int) int {
	if m.done < m.part {
		steps = min(steps, m.part-m.done)
	}
	m.done += steps
	return steps
}

func (m *halving) Look() (s Step, err error) {
	if s.Primal, s.Dual = 1, 1-1/float64(1+m.done); m.done > 50 {
		err = errors.New("too far")
	}
	return s, err
}

// TestRun: it ends where the gap is small enough, the steps are over or the context ends, with an entry for the start,
// after each Every steps, for the end of each part, and for the end.
func TestRun(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		tol    float64
		o      Options
		status solvers.Status
		at     []int
	}{
		"converged": {context.Background(), .1, Options{100, 4}, solvers.Converged, []int{0, 4, 7, 11}},
		"over":      {context.Background(), 0, Options{10, 4}, solvers.EpochLimit, []int{0, 4, 7, 10}},
		"canceled":  {canceled, 0, Options{9, 3}, solvers.Canceled, []int{0}},
	} {
		end, err := Run(c.ctx, &halving{part: 7}, c.o, c.tol)
		var at []int
		for k, s := range end.Steps {
			at = append(at, s.Steps)
			if s.Dual != 1-1/float64(1+s.Steps) || k > 0 && s.Elapsed < end.Steps[k-1].Elapsed {
				t.Errorf("%s: %d steps, dual %v", name, s.Steps, s.Dual)
			}
		}
		if err != c.ctx.Err() || end.Status != c.status || !slices.Equal(at, c.at) ||
			end.Last().Steps != at[len(at)-1] {
			t.Errorf("%s: %v, %v, history of %v, want %v of %v", name, end.Status, err, at, c.status, c.at)
		}
	}
	if _, err := Run(context.Background(), new(halving), Options{100, 30}, 0); err == nil ||
		!strings.HasPrefix(err.Error(), "after 60 steps too far") {
		t.Errorf("%v", err)
	}
}

// stopping is halving with a stop of its own.
type stopping struct {
	halving
	last   int
	status solvers.Status
}

func (m *stopping) Take(ctx context.Context, steps int) int {
	return m.halving.Take(ctx, min(steps, m.last-m.done))
}

func (m *stopping) Stopped() solvers.Status {
	if m.done < m.last {
		return solvers.Running
	}
	return m.status
}

// TestStopper: a method with a stop of its own ends there, with its status, an entry for the end, and no further step.
func TestStopper(t *testing.T) {
	for _, status := range []solvers.Status{solvers.Converged, solvers.Stalled} {
		end, err := Run(context.Background(), &stopping{last: 6, status: status}, Options{100, 4}, 0)
		if err != nil || end.Status != status || len(end.Steps) != 3 || end.Last().Steps != 6 {
			t.Errorf("%v: %v, %v, %+v", status, err, end.Status, end.Steps)
		}
	}
}

func TestOptions(t *testing.T) {
	if o, err := (Options{Every: 3}).WithDefaults(10, 5); err != nil || o != (Options{10, 3}) {
		t.Errorf("%+v, %v", o, err)
	}
	for _, o := range []Options{{Steps: -1}, {Every: -2}} {
		if _, err := o.WithDefaults(1, 1); err == nil || !strings.Contains(err.Error(), "want at least 0") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
