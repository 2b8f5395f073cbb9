package mkl

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
)

// TestStages: the paper's stages come nearer to the optimum, their history says how, R of (10) bounds |w*|, and
// certificates are true.
func TestStages(t *testing.T) {
	p := views[float64](t, 11, 80, 3)
	for _, c := range []Config{{P: 1.05, C: 1}, {P: 1.5, C: 10}, {P: 2, C: 1}} {
		c.Tol = 1e-6
		best := fit(t, p, c)
		r, history, err := p.Stages(context.Background(), c, StageOptions{Online: 2, Batch: 60, Every: 40})
		if err != nil {
			t.Fatal(err)
		}
		if len(history) != 2*2+60*2 || r.Visits != 62*80 || r.Epochs != 62 || r.Status != solvers.EpochLimit {
			t.Errorf("%d points, %v", len(history), r.Outcome)
		}
		size := 0.0
		for _, v := range best.Norms {
			size += math.Pow(v, c.P)
		}
		size = math.Pow(size, 1/c.P) // |w*|_{2,p}
		steps, moves := 0, 0
		for k, h := range history {
			if h.Steps != steps+40 || h.Moves < moves || h.Moves > h.Steps || h.Batch != (k >= 4) ||
				h.Primal < best.Certificate.Dual {
				t.Errorf("place %d: %+v", k, h)
			}
			if h.R < size {
				t.Errorf("R = %v, but |w*| = %v", h.R, size)
			}
			if k < 4 && math.Abs(h.R-math.Sqrt(2*h.Primal)) > 1e-9*h.R {
				t.Errorf("R = %v of an objective of %v", h.R, h.Primal)
			}
			steps, moves = h.Steps, h.Moves
		}
		last := history[len(history)-1]
		least := slices.MinFunc(history, func(a, b Stage) int { return cmp.Compare(a.Primal, b.Primal) })
		if math.Abs(least.Primal-r.Certificate.Primal) > 1e-9*least.Primal ||
			r.ModelEpoch != (least.Steps+r.Duals.Rows-1)/r.Duals.Rows {
			t.Errorf("an objective of %v after %d steps, %v", least.Primal, least.Steps, r.Outcome)
		}
		if first := history[3].Primal; last.Primal-best.Certificate.Dual > .5*(first-best.Certificate.Dual) {
			t.Errorf("stage 1 ended with %v, stage 2 with %v, of %v", first, last.Primal, best.Certificate)
		}
		honest(t, p, c, r)
	}
	r, history, err := p.Stages(statetest.Soon(1), Config{}, StageOptions{Batch: 5})
	if !errors.Is(err, context.Canceled) || r == nil || len(history) > 2 {
		t.Errorf("%v, %v", r, err)
	}
	honest(t, p, Config{P: 1.25, C: 1}, r)
}
