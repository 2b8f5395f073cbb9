package toprank

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// TestStart: the solution with another C, method or loss is a start that ends at the same optimum, and its own takes no
// step.
func TestStart(t *testing.T) {
	all := some(60)
	for _, first := range all {
		for name, q := range problemsOf[float64](t, linearOf(first)) {
			if name == "sparse" || name == "kernel of sparse" {
				continue
			}
			c := configOf(first)
			c.Tol = 1e-4
			start := solve(t, q, c)
			for _, p := range append(all, first) {
				c := configOf(p)
				c.Tol, c.C = 1e-4, .3
				q.Start = nil
				cold := solve(t, q, c).Certificate
				q.Start = start
				warm := solve(t, q, c)
				p := linearOf(p)
				p.C = c.C
				honest(t, p, q, warm)
				if warm.Certificate.Dual > cold.Primal*(1+1e-12) || cold.Dual > warm.Certificate.Primal*(1+1e-12) {
					t.Errorf("%s, %s from that of %s: %v, from 0 %v", p.Name, name, first.Name, warm.Certificate, cold)
				}
			}
			if again := solve(t, q, c); again.Visits != 0 {
				t.Errorf("%s, %s: %s from its own solution", first.Name, name, told(again))
			}
		}
	}
}

// TestPassesUsedUp: a training whose passes are used up says so with a certificate, and goes on from its last state
// with more of them to the same end.
func TestPassesUsedUp(t *testing.T) {
	ended := 0
	for _, r := range resumables[float64](t, 60) {
		want := solve(t, r.make(), r.c)
		var last []byte
		c := saving(r.c, 0, func(state []byte) { last = state })
		c.Epochs = 1
		short, err := r.make().Fit(context.Background(), c)
		if err != nil || short.Status == solvers.Converged {
			continue
		}
		ended++
		if short.Status != solvers.EpochLimit || !(short.Certificate.RelativeGap() > c.Tol) || last == nil {
			t.Fatalf("%s: %s, %v, %d bytes of state", r.name, told(short), err, len(last))
		}
		got, err := r.make().Resume(context.Background(), bytes.NewReader(last), r.c)
		if err != nil {
			t.Fatal(r.name, err)
		}
		sameEnd(t, r.name+", with more passes", got, want)
	}
	if ended < 3 {
		t.Errorf("only %d trainings take more than a pass", ended)
	}
}

// TestProgress: epochs are told in order, and the last certificate is that of the result.
func TestProgress(t *testing.T) {
	for _, p := range some(40) {
		var told []solvers.Progress
		c := configOf(p)
		c.Progress = func(p solvers.Progress) { told = append(told, p) }
		r := solve(t, problemsOf[float64](t, p)["kernel"], c)
		for k, p := range told {
			if p.Epoch != k+1 || math.IsNaN(p.Primal) || math.IsNaN(p.Dual) {
				t.Errorf("epoch %d told as %+v", k+1, p)
			}
		}
		if last := told[len(told)-1]; !last.Certified || last.Certificate != r.Certificate || last.Epoch != r.Epochs {
			t.Errorf("%s: %+v told last, but %v", p.Name, last, r.Outcome)
		}
	}
}
