package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// job is a family's problem, of the examples that were read.
type job[T vec.Float] struct {
	fit    fitting[T]                           // with the parameters as given
	memory func(shared) (solvers.Memory, error) // that it takes
	hint   string                               // what may be wrong with what was given, or ""
	wrong  float64                              // what rounding to 32 bits may do to it, see rounding; 0: not known

	// that cross-validation may measure, the first by default
	metrics []metric
	task    string                                                                 // of its models; "": classes
	paths   int                                                                    // that search trains; 0: one
	search  func(ctx context.Context, s shared, found *search[T], grid bool) error // adds points to found
}

// fitting trains with some parameters; nil state: from the start.
type fitting[T vec.Float] func(ctx context.Context, s shared, state io.Reader) (*trained[T], error)

// trained is how a training ended.
type trained[T vec.Float] struct {
	solvers.Outcome
	model *model.Model[T]
	notes map[string]string // of the model, beside its own
	about string            // lines that tell more of it, or ""
}

// train reads the data, trains, and writes the model: the part of the work that all families share. A family prepares
// its job in numbers of 32 or of 64 bits, from files that are also read. Where the flags do not say which, and rounding
// to 32 shows, the data are read again.
func train(ctx context.Context, out *output, t *Training, narrow preparing[float32], wide preparing[float64],
	also ...string) error {
	out = out.quiet(t.Quiet, t.Model == "-")
	to, err := t.files(also...)
	if err != nil {
		return err
	}
	if !t.Float64 {
		w, err := begin(ctx, out, t, narrow)
		if err != nil {
			return err
		}
		if t.Float64 = t.wider(out, w.wrong, also...); !t.Float64 {
			return w.run(ctx, out, t, to)
		}
		silent := *out // of what has been told
		silent.silent = true
		v, err := begin(ctx, &silent, t, wide)
		if err != nil {
			return fmt.Errorf("%w\nIn numbers of 32 bits it is half the memory: --float32", err)
		}
		return v.run(ctx, out, t, to)
	}
	w, err := begin(ctx, out, t, wide)
	if err != nil {
		return err
	}
	return w.run(ctx, out, t, to)
}

// preparing is how a family makes its job of the examples.
type preparing[T vec.Float] func(*data.Examples[T]) (job[T], error)

// work is a job with what it was made of.
type work[T vec.Float] struct {
	job[T]
	examples *data.Examples[T]
	scaling  *dataset.Scaling
	coded    *compressed[T] // or nil
}

// begin reads the data and prepares the job.
func begin[T vec.Float](ctx context.Context, out *output, t *Training, prepare preparing[T]) (w work[T], err error) {
	begin := time.Now()
	if w.examples, w.scaling, err = open[T](t); err != nil {
		return w, err
	}
	out.remark(w.examples.Remarks(t.Train))
	out.note("%s, read in %s", sizeOf(w.examples, !t.bare && !t.numbers), since(begin))
	if w.coded, err = compress(ctx, t, w.examples); err != nil {
		return w, err
	}
	if w.job, err = prepare(w.examples); err != nil {
		return w, err
	}
	if err := t.Fitting.fits(w.task, &w.examples.Labels, t.Train); err != nil {
		return w, err
	}
	if w.task != predictor.Numbers && !t.bare {
		out.hint(manyClasses(w.examples))
	}
	out.hint(w.hint)
	return w, nil
}

// run trains, and writes the model.
func (w work[T]) run(ctx context.Context, out *output, t *Training, to files) error {
	ctx, stop := catch(ctx, out.err, "what there is will be saved")
	defer stop()
	r, chosen, begin, err := learn(ctx, out, t, w.examples, w.job, to)
	if r == nil {
		return err
	}
	out.note("%s, %s", ended(r.Outcome, t.Float64), since(begin))
	if r.about != "" {
		out.note("%s", r.about)
	}
	if w.coded != nil {
		text, wrong := w.coded.told(r, w.examples.Coded, w.metrics[0], t.Workers)
		out.note("%s", text)
		err = errors.Join(err, wrong)
	}
	err = errors.Join(err, w.calibrate(ctx, out, t, r, chosen))
	if wrong := save(to.model, r, w.scaling, notesOf(w.examples)); wrong != nil {
		return errors.Join(err, wrong)
	}
	err = t.ending(out, r.Outcome, err)
	if t.Test != "" && codeOf(err) != interrupted {
		return errors.Join(err, t.test(ctx, out))
	}
	return err
}

// files are what a training writes.
type files struct {
	model, state *file.Output
}

// files finds what would make a training vain: a model or a state that cannot be written, or would take the place of
// something else, and no file to test the model on. The training reads the files also, too.
func (t *Training) files(also ...string) (to files, err error) {
	if t.Test != "" && t.Test != "-" {
		if _, err := os.Stat(t.Test); err != nil {
			return to, fmt.Errorf("--test: %w", err)
		}
	}
	plan := file.Plan{Force: t.Force}
	plan.Reads("the data", data.Files(t.Train, t.Options)...)
	plan.Reads("the data of --test", data.Files(t.Test, t.testOptions())...)
	plan.Reads("the input", also...)
	if t.Folds == 0 { // else there is no model
		to.model = plan.Writes("the model", t.Model, modelKind)
	}
	to.state = plan.Writes("the state", t.state(), stateKind)
	return to, plan.Check()
}

// test evaluates the model.
func (t *Training) test(ctx context.Context, out *output) error {
	return (&Evaluate{Data: t.Test, Model: t.Model, Options: t.testOptions(), Workers: t.Workers}).Run(ctx, out)
}

// testOptions say how to read the examples of --test.
func (t *Training) testOptions() data.Options {
	o := t.Options
	o.Labels, o.GroupFile, o.FoldFile, o.Features, o.MaxRows = "", "", "", 0, 0 // of the training file alone
	if data.FormatOf(t.Test, o.Format) != "csv" {
		o.GroupColumn, o.FoldColumn = "", ""
	}
	if data.FormatOf(t.Train, o.Format) == "csv" {
		o.LabelColumn = "" // the model knows
	}
	return o
}

// learn trains as t says, and returns the point that cross-validation has chosen, if any. With cross-validation alone
// there is no result. The time that it returns is of the training.
func learn[T vec.Float](ctx context.Context, out *output, t *Training, e *data.Examples[T], j job[T], to files) (
	r *trained[T], chosen *point[T], begin time.Time, err error) {
	states, err := openStates(t.state(), to.state, t.Resume)
	if err != nil {
		return nil, nil, begin, err
	}
	defer states.close()
	s := shared{tol: t.Tolerance, epochs: t.Epochs, seed: t.Seed, workers: t.Workers}
	if t.Folds > 0 || t.CV > 0 {
		var wrong error
		if chosen, wrong = choose(ctx, out, t, e, j, s, states); chosen == nil {
			return nil, nil, begin, wrong
		}
		j.fit = chosen.fit
		defer func() { err = errors.Join(err, wrong) }() // the table could not be printed
	}
	bar := out.bar(t.Tolerance)
	defer bar.close()
	s.progress = bar.show
	if states.writes() {
		s.checkpoint = solvers.Checkpoint{Every: t.Every, Save: states.save}
	}
	if err := room(j.memory, s, 1); err != nil {
		return nil, nil, begin, err
	}
	begin = time.Now()
	state := states.next()
	if t.Resume && state == nil && t.CV == 0 {
		return nil, nil, begin, fmt.Errorf("%s: an empty state", t.state())
	}
	if r, err = j.fit(ctx, s, state); r == nil && state != nil {
		err = t.otherState(err)
	}
	return r, chosen, begin, err
}

// choose returns the point that cross-validation chooses, nil where that is all there is to do, and what was wrong.
func choose[T vec.Float](ctx context.Context, out *output, t *Training, e *data.Examples[T], j job[T], s shared,
	states *states) (
	*point[T], error) {
	bar, begin := out.bar(t.Tolerance), time.Now()
	defer bar.close()
	found, err := newSearch(t, e, j, states, bar)
	if err != nil {
		return nil, err
	}
	chosen, err := found.run(ctx, s, j, t.CV > 0)
	bar.close()
	done, all := found.trainings()
	switch {
	case ctx.Err() != nil && (!states.writes() || states.fault != nil):
		return nil, errors.Join(states.fault,
			&exit{interrupted, fmt.Errorf("interrupted in cross-validation after %d of %d trainings, there is no model",
				done, all)})
	case ctx.Err() != nil:
		return nil, &exit{interrupted, fmt.Errorf(
			"interrupted in cross-validation after %d of %d trainings, there is no model yet; the state is in %s; to "+
				"go on: %s",
			done, all, t.state(), out.again("--resume"))}
	case err != nil && t.Resume:
		return nil, t.otherState(err)
	case err != nil:
		return nil, err
	}
	if t.Folds > 0 {
		if t.Checkpoint == "" && states.writes() {
			os.Remove(t.state())
		}
		out.note("%d trainings of cross-validation, %s", all, since(begin))
		return nil, found.tell(out.out)
	}
	err = found.table(out.out, chosen)
	out.note("%d trainings of cross-validation, %s", all, since(begin))
	return chosen, err
}

// otherState tells what to do where a state is not of this training.
func (t *Training) otherState(err error) error {
	err = fmt.Errorf("%s: %w", t.state(), err)
	if errors.Is(err, solvers.ErrOtherState) {
		err = fmt.Errorf("%w\nGo on with the same data and flags (--epochs, --checkpoint and --every may differ), or "+
			"leave out --resume", err)
	}
	return err
}

// ending returns the error that a training ends with whose model is saved, nil where it has converged.
func (t *Training) ending(out *output, o solvers.Outcome, err error) error {
	path, lost := t.state(), unsaved{}
	if o.Status != solvers.Canceled && o.Status != solvers.EpochLimit && t.Checkpoint == "" && path != "" {
		os.Remove(path) // of a training that is over; there may be none
	}
	switch {
	case o.Status == solvers.Converged:
		return err
	case errors.As(err, &lost) && errors.Is(err, context.Canceled):
		return &exit{interrupted, fmt.Errorf(
			"interrupted; the model so far is in %s, but the state could not be saved: %w", t.Model, lost)}
	case err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return err // a checkpoint that could not be saved
	case o.Status == solvers.Stalled && o.ZeroModel && o.Certificate.Primal == 0:
		return &exit{notConverged, fmt.Errorf("the model in %s is 0, which tells nothing: 0 is a mean of the "+
			"examples, with weights that -n allows; take -t gaussian, features that are not centred, or a larger -n",
			t.Model)}
	case o.Status == solvers.Stalled && !t.Float64:
		return &exit{notConverged, fmt.Errorf(
			"the model in %s is %.1e from the optimum at most: numbers of 32 bits allow no more, try --float64 or a "+
				"larger -e",
			t.Model, o.Certificate.RelativeGap())}
	case o.Status == solvers.Stalled:
		return &exit{notConverged, fmt.Errorf(
			"the model in %s is %.1e from the optimum at most, and numbers of 64 bits allow no more",
			t.Model, o.Certificate.RelativeGap())}
	case path == "":
		return &exit{codeAt(o.Status), fmt.Errorf("the model so far is in %s", t.Model)}
	case o.Status == solvers.EpochLimit:
		return &exit{notConverged, fmt.Errorf("the model so far is in %s, the state in %s; to go on: %s", t.Model, path,
			out.again("--resume", fmt.Sprintf("--epochs=%d", 2*t.Epochs)))}
	}
	return &exit{interrupted, fmt.Errorf("interrupted; the model so far is in %s, the state in %s; to go on: %s",
		t.Model, path,
		out.again("--resume"))}
}

func codeAt(s solvers.Status) int {
	if s == solvers.EpochLimit {
		return notConverged
	}
	return interrupted
}
