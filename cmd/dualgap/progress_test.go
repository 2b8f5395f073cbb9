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

// ofSome is gapOf of some examples alone.
func ofSome(epoch int, gap float64, elapsed time.Duration) solvers.Progress {
	p := gapOf(epoch, gap, elapsed)
	p.Partial = true
	return p
}

// TestProgress: the time that is left is in proportion to the way on a logarithmic scale, from the first gap of all
// examples that is a number. Neither a gap that grows nor one that is no number takes the bar back, a gap of some
// examples moves nothing, and a training after another begins anew.
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
		{ofSome(1, 1e-3, time.Second), 0, "epoch 1, gap 1.0e-03 on some examples"},
		{ofSome(2, 1e-5, 2*time.Second), 0, "epoch 2, gap 1.0e-05 on some examples"},
		{gapOf(3, math.NaN(), 3*time.Second), 0, "epoch 3, gap NaN of 1.0e-04"},
		{gapOf(4, 1, 5*time.Second), 0, "epoch 4, gap 1.0e+00 of 1.0e-04"},
		{gapOf(5, 1e-1, 7*time.Second), .25, "epoch 5, gap 1.0e-01 of 1.0e-04, 6s left"},
		{ofSome(6, 1e-4, 8*time.Second), .25, "epoch 6, gap 1.0e-04 on some examples"},
		{gapOf(7, 1e-2, 9*time.Second), .5, "epoch 7, gap 1.0e-02 of 1.0e-04, 4s left"},
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

// TestTrainings: the bar of a cross-validation counts trainings, and the time that is left is in proportion to this
// run's trainings: what an earlier one has measured costs nothing.
func TestTrainings(t *testing.T) {
	var w bytes.Buffer
	b := newBar(&w, 1e-4)
	begin := time.Now()
	for _, step := range []struct {
		done int
		at   time.Duration
		text string
	}{
		{10, 0, "10 of 30 trainings"}, {12, 4 * time.Second, "12 of 30 trainings, 36s left"},
		{20, 10 * time.Second, "20 of 30 trainings, 10s left"}, {30, 12 * time.Second, "30 of 30 trainings"},
	} {
		if text := b.count(step.done, 30, begin.Add(step.at)); text != step.text {
			t.Errorf("%q, want %q", text, step.text)
		}
	}
	b.trained(15, 30)
	if state := b.bar.State(); state.CurrentPercent != .5 || !strings.Contains(w.String(), "15 of 30 trainings") {
		t.Errorf("%+v, %q", state, w.String())
	}
	var none *bar
	none.trained(1, 2)
}
