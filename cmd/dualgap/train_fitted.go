package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// Fitting are the flags of what is fitted on scores of examples that a training has not seen.
type Fitting struct {
	Calibrate string `group:"fit" enum:"none,temperature,platt" default:"none" help:"Probabilities: scores divided by a temperature, or Platt's sigmoids. Fitted on held-out scores, of -cv's parts or of 5."`
	Threshold string `group:"fit" placeholder:"[CLASS:]CONSTRAINT" help:"Choose the threshold of a ranker, of two classes or of each label on held-out scores: recall=.95, at least, with the largest precision; precision=.9, at least, or false-rate=.01, at most, with the largest recall. Of two classes the second is to be found, unless CLASS: says which."`
}

// any reports whether there is something to fit.
func (f *Fitting) any() bool { return f.Calibrate != "none" && f.Calibrate != "" || f.Threshold != "" }

// byOutputs is what is fitted where no flag says it: of one output the sigmoid with an offset, since 0 need not be
// where both sides are as probable, of several a temperature.
func (f *Fitting) byOutputs(outputs int) {
	switch {
	case f.any():
	case outputs == 1:
		f.Calibrate = "platt"
	default:
		f.Calibrate = "temperature"
	}
}

// validate returns an error unless the flags make sense; with folds there is no model.
func (f *Fitting) validate(folds int) error {
	if folds > 0 && f.any() {
		return usage("-v %d with --calibrate or --threshold: -v writes no model; leave out one of them", folds)
	}
	_, _, err := parseRule(f.Threshold)
	return err
}

// fits returns an error unless models of the task have what is to be fitted, on examples of these labels.
func (f *Fitting) fits(task string, of *dataset.Labels, path string) error {
	classes := task == "" || task == predictor.Classes
	class, _, err := parseRule(f.Threshold)
	if err != nil {
		return err
	}
	switch {
	case !f.any():
	case class != "" && !classes:
		return usage("--threshold %s: a class, %s, is for two classes, and the model is of the task %s", f.Threshold,
			class, task)
	case task == predictor.Queries:
		return usage("--calibrate and --threshold: scores of two queries do not compare, want a model without " +
			"--within-queries")
	case task == predictor.Numbers:
		return usage("--calibrate and --threshold: the model predicts numbers, want classes, sets of labels or a " +
			"ranker")
	case classes && of.Sets != nil:
		return usage("--calibrate and --threshold: the examples of %s have sets of labels, and this model puts labels "+
			"in order alone: want m3l", path)
	case f.Threshold != "" && classes && len(of.Classes) != 2:
		return usage("--threshold %s: %d classes, want two, sets of labels, or a ranker", f.Threshold, len(of.Classes))
	case class != "" && place(of.Classes, class) < 0:
		return usage("--threshold %s: no class %s, there are %s", f.Threshold, class, list(of.Classes))
	case f.Calibrate == "temperature" && task == predictor.Top:
		return usage("--calibrate temperature: the score 0 of a ranker means nothing, want --calibrate platt")
	}
	return nil
}

// calibrate fits what the flags ask for on scores of examples by trainings without them, at the chosen point or with
// the parameters as given, and adds it to the notes of r. Where that fails r stays as it is.
func (w work[T]) calibrate(ctx context.Context, out *output, t *Training, r *trained[T], chosen *point[T]) error {
	switch {
	case !t.Fitting.any():
		return nil
	case r.Status == solvers.Canceled || ctx.Err() != nil:
		out.hint("interrupted before --calibrate and --threshold: the model has neither")
		return nil
	}
	begin := time.Now()
	scores, parts, err := w.heldOut(ctx, out, t, chosen)
	if err != nil && ctx.Err() != nil {
		return &exit{interrupted,
			fmt.Errorf("interrupted; the model in %s has no calibration and no threshold of its own: "+
				"to fit them on other examples: dualgap calibrate", t.Model)}
	}
	if err != nil {
		return fmt.Errorf("the model in %s has no calibration and no threshold of its own: %w", t.Model, err)
	}
	notes := r.model.Notes()
	maps.Copy(notes, r.notes)
	own := *r.model
	p, err := predictor.New(own.WithNotes(notes))
	if err != nil {
		return err
	}
	fitted, told, err := t.Fitting.fit(p, scores, newTruth(p, w.examples))
	if err != nil {
		return fmt.Errorf("the model in %s has no calibration and no threshold of its own: %w", t.Model, err)
	}
	if r.notes == nil {
		r.notes = map[string]string{}
	}
	maps.Copy(r.notes, fitted)
	for _, line := range told {
		out.note("%s", line)
	}
	out.note("fitted on held-out scores of %d parts, %s", parts, since(begin))
	return nil
}

// heldOut returns the score of each example by a training without its part, and the number of parts.
func (w work[T]) heldOut(ctx context.Context, out *output, t *Training, chosen *point[T]) (scores vec.Matrix[float64],
	parts int, err error) {
	own := *t
	own.CV = cmp.Or(t.CV, 5)
	if t.CV == 0 && w.examples.Folds != nil {
		own.CV = slices.Max(w.examples.Folds) + 1
	}
	bar := out.bar(t.Tolerance)
	defer bar.close()
	found, err := newSearch(&own, w.examples, w.job, &states{}, bar)
	if err != nil {
		return scores, 0, err
	}
	held := solvers.NewHeldOut(w.examples.Len())
	found.cv.Measures, found.only, found.paths = []solvers.Measure{held.Measure()}, chosen, 1
	s := shared{tol: t.Tolerance, epochs: t.Epochs, seed: t.Seed, workers: t.Workers}
	if err = found.room(w.job, s); err == nil {
		err = memory.Need("held-out scores take", 8*float64(w.examples.Len())*float64(max(1, len(w.examples.Classes))))
	}
	if err == nil {
		err = w.search(ctx, s, found, chosen != nil)
	}
	if err != nil {
		return scores, 0, err
	}
	scores, err = held.Scores()
	return scores, own.CV, err
}
