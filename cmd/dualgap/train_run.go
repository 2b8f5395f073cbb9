package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"time"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// job is a family's problem, of the examples that were read.
type job[T vec.Float] struct {
	fit    func(ctx context.Context, s shared, state io.Reader) (*trained[T], error) // nil state: from the start
	search func(ctx context.Context, s shared, folds int, grid bool) (*search[T], error)
}

// trained is how a training ended.
type trained[T vec.Float] struct {
	solvers.Outcome
	model *model.Model[T]
	notes map[string]string // of the model, beside its own
	about string            // lines that tell more of it, or ""
}

// train reads the data, trains, and writes the model: the part of the work that all families share.
func train[T vec.Float](ctx context.Context, out *output, t *Training, prepare func(*data.Examples[T]) (job[T], error)) error {
	out = out.quiet(t.Quiet, t.Model == "-")
	if err := t.checkFiles(); err != nil {
		return err
	}
	begin := time.Now()
	examples, scaling, err := open[T](t)
	if err != nil {
		return err
	}
	out.note("%s, read in %s", sizeOf(examples), since(begin))
	j, err := prepare(examples)
	if err != nil {
		return err
	}
	ctx, stop := catch(ctx, out.err)
	defer stop()
	begin = time.Now()
	r, err := learn(ctx, out, t, j)
	if r == nil {
		return err
	}
	out.note("%v, %s", r.Outcome, since(begin))
	if r.about != "" {
		out.note("%s", r.about)
	}
	if wrong := save(t, r, scaling); wrong != nil {
		return errors.Join(err, wrong)
	}
	err = t.ending(out, r.Outcome, err)
	if t.Test != "" && codeOf(err) != interrupted {
		return errors.Join(err, t.test(ctx, out))
	}
	return err
}

// checkFiles finds what would make a training vain: a model that cannot be written, or no file to test it on.
func (t *Training) checkFiles() error {
	if t.Test != "" && t.Test != "-" {
		if _, err := os.Stat(t.Test); err != nil {
			return fmt.Errorf("--test: %w", err)
		}
	}
	if t.Folds > 0 { // there is no model
		return nil
	}
	return file.Check(t.Model)
}

// test evaluates the model.
func (t *Training) test(ctx context.Context, out *output) error {
	o := t.Options
	o.Labels, o.Features, o.MaxRows = "", 0, 0 // those of the examples to learn from
	return (&Evaluate{Data: t.Test, Model: t.Model, Options: o, Workers: t.Workers}).Run(ctx, out)
}

// learn trains as t says. With cross-validation alone there is no result.
func learn[T vec.Float](ctx context.Context, out *output, t *Training, j job[T]) (*trained[T], error) {
	bar := out.bar(t.Tolerance)
	defer bar.close()
	s := shared{tol: t.Tolerance, epochs: t.Epochs, seed: t.Seed, workers: t.Workers, progress: bar.show}
	if folds := max(t.Folds, t.CV); folds > 0 {
		found, err := j.search(ctx, s, folds, t.CV > 0)
		bar.close()
		switch {
		case ctx.Err() != nil:
			return nil, &exit{interrupted, fmt.Errorf("interrupted in cross-validation, there is no model")}
		case err != nil:
			return nil, err
		}
		if t.Folds > 0 {
			return nil, found.tell(out.out)
		}
		if err := found.table(out.out); err != nil {
			return nil, err
		}
		return found.points[found.best].end()
	}
	path := t.state()
	if path != "" {
		s.checkpoint = solvers.Checkpoint{Every: t.Every, Save: func(write func(io.Writer) error) error {
			return file.Write(path, write)
		}}
	}
	if !t.Resume {
		return j.fit(ctx, s, nil)
	}
	state, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no state in %s to resume from: leave out --resume, or name its file by --checkpoint", path)
	} else if err != nil {
		return nil, err
	}
	defer state.Close()
	r, err := j.fit(ctx, s, state)
	if r == nil {
		err = fmt.Errorf("%s: %w", path, err)
		if errors.Is(err, solvers.ErrOtherState) {
			err = fmt.Errorf("%w\nGo on with the same data and flags (--epochs, --checkpoint and --every may differ), or leave out --resume", err)
		}
	}
	return r, err
}

// save writes the model, which knows how its examples were scaled.
func save[T vec.Float](t *Training, r *trained[T], scaling *dataset.Scaling) error {
	notes := r.model.Notes()
	maps.Copy(notes, r.notes)
	if scaling != nil {
		var err error
		if notes, err = scaling.Note(notes); err != nil {
			return err
		}
	}
	return file.Write(t.Model, func(w io.Writer) error {
		_, err := r.model.WithNotes(notes).WriteTo(w)
		return err
	})
}

// ending returns the error that a training ends with whose model is saved, nil where it has converged.
func (t *Training) ending(out *output, o solvers.Outcome, err error) error {
	path := t.state()
	if o.Status != solvers.Canceled && o.Status != solvers.EpochLimit && t.Checkpoint == "" && path != "" {
		os.Remove(path) // of a training that is over; there may be none
	}
	switch {
	case o.Status == solvers.Converged:
		return err
	case err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return err // a checkpoint that could not be saved
	case o.Status == solvers.Stalled && !t.Float64:
		return &exit{notConverged, fmt.Errorf("the model in %s is %.1e from the optimum at most: numbers of 32 bits allow no more, try --float64 or a larger -e",
			t.Model, o.Certificate.RelativeGap())}
	case o.Status == solvers.Stalled:
		return &exit{notConverged, fmt.Errorf("the model in %s is %.1e from the optimum at most, and numbers of 64 bits allow no more",
			t.Model, o.Certificate.RelativeGap())}
	case path == "":
		return &exit{codeAt(o.Status), fmt.Errorf("the model so far is in %s", t.Model)}
	case o.Status == solvers.EpochLimit:
		return &exit{notConverged, fmt.Errorf("the model so far is in %s, the state in %s; to go on: %s", t.Model, path,
			out.again("--resume", fmt.Sprintf("--epochs=%d", 2*t.Epochs)))}
	}
	return &exit{interrupted, fmt.Errorf("interrupted; the model so far is in %s, the state in %s; to go on: %s", t.Model, path,
		out.again("--resume"))}
}

func codeAt(s solvers.Status) int {
	if s == solvers.EpochLimit {
		return notConverged
	}
	return interrupted
}
