package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/dualgap/dualgap/solvers"
)

// bar shows how far the gap of a training has come down, on a terminal. nil shows nothing.
type bar struct {
	bar   *progressbar.ProgressBar
	tol   float64
	first float64 // relative gap of all examples that the training began with; 0: not known yet
	epoch int
	done  float64 // part of the way on the logarithmic scale
	since time.Duration

	begun time.Time // of a cross-validation
	known int       // trainings that were over then
}

const steps = 1000 // of the bar

func newBar(w io.Writer, tol float64) *bar {
	return &bar{tol: tol, bar: progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionShowDescriptionAtLineEnd(),
	)}
}

// show is called after each epoch.
func (b *bar) show(p solvers.Progress) {
	if b == nil {
		return
	}
	b.bar.Describe(b.text(p))
	b.bar.Set(min(steps-1, int(steps*b.done)))
}

// text says what stands beside the bar. Gaps fall by about the same factor in the same time: what is left of the way on
// a logarithmic scale takes as much longer as it is longer than what is behind. The gap of some examples alone says
// nothing of the way: it is small where they are few.
func (b *bar) text(p solvers.Progress) string {
	gap := p.RelativeGap()
	if p.Epoch < b.epoch { // a new training
		b.first, b.done = 0, 0
	}
	b.epoch = p.Epoch
	if p.Partial {
		return fmt.Sprintf("epoch %d, gap %.1e on some examples", p.Epoch, gap)
	}
	if b.first == 0 || b.first-b.first != 0 {
		b.first, b.since = gap, p.Elapsed
	}
	if way := math.Log(b.first / b.tol); way > 0 {
		if done := math.Log(b.first/gap) / way; done > b.done {
			b.done = min(1, done)
		}
	}
	s := fmt.Sprintf("epoch %d, gap %.1e of %.1e", p.Epoch, gap, b.tol)
	if taken := p.Elapsed - b.since; b.done > 0.02 && taken > time.Second/2 {
		left := time.Duration(float64(taken) * (1 - b.done) / b.done)
		s += ", " + left.Round(time.Second).String() + " left"
	}
	return s
}

// trained is called after each training of a cross-validation.
func (b *bar) trained(done, all int) {
	if b == nil {
		return
	}
	b.bar.Describe(b.count(done, all, time.Now()))
	b.bar.Set(min(steps-1, steps*done/max(1, all)))
}

// count says what stands beside the bar when a number of trainings are over. What was known before is no measure of
// what is left.
func (b *bar) count(done, all int, now time.Time) string {
	if b.begun.IsZero() {
		b.begun, b.known = now, done
	}
	s := fmt.Sprintf("%d of %d trainings", done, all)
	taken := now.Sub(b.begun)
	if done > b.known && done < all {
		left := time.Duration(float64(taken) * float64(all-done) / float64(done-b.known))
		s += ", " + left.Round(time.Second).String() + " left"
	}
	return s
}

// close clears the line of the bar.
func (b *bar) close() {
	if b != nil {
		b.bar.Clear()
	}
}

// say shows a text, and a part of the way in place of a gap.
func (b *bar) say(text string, part float64) {
	if b != nil {
		b.bar.Describe(text)
		b.bar.Set(min(steps-1, int(steps*part)))
	}
}
