package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
)

// gapOf is progress whose relative gap is so much.
func gapOf(epoch int, gap float64, elapsed time.Duration) solvers.Progress {
	return solvers.Progress{Epoch: epoch, Certificate: solvers.Certificate{Primal: 1, Dual: 1 - gap}, Elapsed: elapsed}
}

// TestProgress: the time that is left is in proportion to the way on a logarithmic scale. Neither a gap that grows nor one
// that is no number takes the bar back, and a training after another begins anew.
func TestProgress(t *testing.T) {
	var w bytes.Buffer
	b := newBar(&w, 1e-4)
	for _, step := range []struct {
		p    solvers.Progress
		done float64
		text string
	}{
		{gapOf(1, 1, time.Second), 0, "epoch 1, gap 1.0e+00 of 1.0e-04"},
		{gapOf(2, 1e-1, 3*time.Second), .25, "epoch 2, gap 1.0e-01 of 1.0e-04, 6s left"},
		{gapOf(3, 1e-2, 5*time.Second), .5, "epoch 3, gap 1.0e-02 of 1.0e-04, 4s left"},
		{gapOf(4, 1e-1, 7*time.Second), .5, "epoch 4, gap 1.0e-01 of 1.0e-04, 6s left"},
		{gapOf(5, math.NaN(), 7*time.Second), .5, "epoch 5, gap NaN of 1.0e-04, 6s left"},
		{gapOf(6, 1e-5, 9*time.Second), 1, "epoch 6, gap 1.0e-05 of 1.0e-04, 0s left"},
		{gapOf(1, 1e-2, time.Second), 0, "epoch 1, gap 1.0e-02 of 1.0e-04"},
		{gapOf(2, 1e-3, 2*time.Second), .5, "epoch 2, gap 1.0e-03 of 1.0e-04, 1s left"},
	} {
		if text := b.text(step.p); text != step.text || math.Abs(b.done-step.done) > 1e-9 {
			t.Errorf("%v: %q and %v, want %q and %v", step.p, text, b.done, step.text, step.done)
		}
		b.show(step.p)
	}
	b.close()
	if !strings.Contains(w.String(), "epoch 1, gap 1.0e+00") {
		t.Errorf("the bar shows %q", w.String())
	}
	var none *bar
	none.show(gapOf(1, 1, 0))
	none.close()
}
