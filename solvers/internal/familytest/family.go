// Package familytest tests what every family of solvers promises, once for all of them: a family tells of its trainings
// in a table and has each promise tested on them. What is particular to a family it tests itself.
package familytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
)

// Problem is a family's Problem: C is its Config and R a pointer to its Result.
type Problem[C, R any] interface {
	Fit(ctx context.Context, c C) (R, error)
	Resume(ctx context.Context, state io.Reader, c C) (R, error)
}

// Training is a problem and its parameters. Make returns the problem anew at each call, as another process would.
type Training[P, C any] struct {
	Name   string
	Make   func(t testing.TB) P
	Config C
}

// Family is what its tests need to know, for one type of numbers. C has the fields that all families share, R an
// embedded solvers.Outcome and an embedded model.
type Family[P Problem[C, R], C, R any] struct {
	Name      string           // of the package, which errors begin with
	Trainings []Training[P, C] // that converge, on every storage and in every layout

	// Honest recomputes the certificate of a result from the model, the dual variables and the data, in float64.
	Honest func(t *testing.T, p P, c C, r R)

	// Last says that no epoch has a model that is worse than one before.
	Last bool

	// How often each training is stopped: at random, by looks at its context, and at the ends of epochs.
	Random, Looks, Epochs int
}

// Add adds a training.
func (f *Family[P, C, R]) Add(name string, make func(t testing.TB) P, c C) {
	f.Trainings = append(f.Trainings, Training[P, C]{Name: name, Make: make, Config: c})
}

// Run tests what each training promises.
func (f Family[P, C, R]) Run(t *testing.T) {
	t.Run("Resumes", f.resumes)
	t.Run("StopsAtEpochs", f.stopsAtEpochs)
	t.Run("EndsAnywhere", f.endsAnywhere)
	t.Run("SaveFails", f.saveFails)
	t.Run("Cancels", f.cancels)
	t.Run("PassesUsedUp", f.passesUsedUp)
	t.Run("Progress", f.progress)
	t.Run("Killed", f.killed)
}

// each calls test for all trainings by one worker and by two; where there are many, for half of them by each.
func (f Family[P, C, R]) each(test func(name string, r Training[P, C])) {
	for k, r := range f.Trainings {
		for _, workers := range []int{1, 2} {
			if len(f.Trainings) < 8 || workers == 1+k%2 {
				r.Config = With(r.Config, "Workers", workers)
				test(fmt.Sprintf("%s, %d workers", r.Name, workers), r)
			}
		}
	}
}

// With returns c with a field of that value.
func With[C any](c C, field string, value any) C {
	reflect.ValueOf(&c).Elem().FieldByName(field).Set(reflect.ValueOf(value))
	return c
}

// saving returns c with checkpoints as often as every says, whose states go to saved.
func saving[C any](c C, every time.Duration, saved *[][]byte) C {
	return With(c, "Checkpoint", solvers.Checkpoint{Every: every, Save: func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		*saved = append(*saved, b.Bytes())
		return err
	}})
}

// outcome returns the outcome of a result.
func outcome(r any) solvers.Outcome {
	return reflect.ValueOf(r).Elem().FieldByName("Outcome").Interface().(solvers.Outcome)
}

// none reports whether there is no result.
func none(r any) bool { return reflect.ValueOf(r).IsNil() }

// Told tells of a result, or that there is none.
func Told(r any) string {
	if none(r) {
		return "no result"
	}
	return fmt.Sprintf("%v, %d visits", outcome(r), outcome(r).Visits)
}

// Contains fails unless the error has all the words.
func Contains(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%v, want %q", err, w)
		}
	}
}

// Bits tells the outcome of a result and a hash of the file of its model and of all its numbers.
func Bits(t testing.TB, r any) string {
	t.Helper()
	h := crc32.NewIEEE()
	if _, err := r.(io.WriterTo).WriteTo(h); err != nil {
		t.Fatal(err)
	}
	v := reflect.ValueOf(r).Elem()
	for k := range v.NumField() {
		if field := v.Type().Field(k); field.IsExported() && !field.Anonymous {
			fmt.Fprint(h, field.Name, v.Field(k).Interface())
		}
	}
	return fmt.Sprintf("%+v, numbers %08x", outcome(r), h.Sum32())
}

// fit trains, from a state unless it is nil.
func (f Family[P, C, R]) fit(ctx context.Context, p P, from []byte, c C) (R, error) {
	if from == nil {
		return p.Fit(ctx, c)
	}
	return p.Resume(ctx, bytes.NewReader(from), c)
}

// converged trains to the tolerance, and returns how often the context was asked whether to go on.
func (f Family[P, C, R]) converged(t *testing.T, r Training[P, C]) (got R, questions int64) {
	t.Helper()
	p, asked := r.Make(t), statetest.Soon(1<<60)
	got, err := p.Fit(asked, r.Config)
	if err != nil || outcome(got).Status != solvers.Converged {
		t.Fatal(r.Name, Told(got), err)
	}
	f.Honest(t, p, r.Config, got)
	return got, 1<<60 - asked.Left()
}

// Stopped trains, from a state unless it is nil, to the end of ctx, and returns the state that was saved then; nil
// where the training ends before.
func (f Family[P, C, R]) Stopped(t testing.TB, r Training[P, C], from []byte, ctx context.Context) []byte {
	t.Helper()
	var saved [][]byte
	got, err := f.fit(ctx, r.Make(t), from, saving(r.Config, 0, &saved))
	switch {
	case err == nil && outcome(got).Status == solvers.Converged: // with a state where the certificate after it will do
	case errors.Is(err, context.Canceled) && !none(got) && outcome(got).Status == solvers.Canceled && len(saved) > 0:
	default:
		t.Fatalf("%s: %s, %v, %d states", r.Name, Told(got), err, len(saved))
	}
	for _, state := range saved {
		if how := statetest.Differ(saved[0], state); how != "" {
			t.Error(r.Name, "saved twice, and not the same:", how)
		}
	}
	if len(saved) == 0 {
		return nil
	}
	return saved[len(saved)-1]
}

// resumes: a training that stops at random, between epochs and within them, once or several times, ends with the same
// bits as one that never does; and so does one that saves its state after each epoch, and one that goes on from there.
func (f Family[P, C, R]) resumes(t *testing.T) {
	f.each(func(name string, r Training[P, C]) {
		end, questions := f.converged(t, r)
		want := Bits(t, end)
		goesOn := func(how string, from []byte, c C) {
			t.Helper()
			got, err := f.fit(context.Background(), r.Make(t), from, c)
			if err != nil {
				t.Fatal(name, how, err)
			}
			if got := Bits(t, got); got != want {
				t.Errorf("%s, %s: %s, want %s", name, how, got, want)
			}
		}
		rng, stops := rand.New(rand.NewPCG(95, uint64(questions))), f.Random
		if testing.Short() {
			stops = 1 + stops/6
		}
		for range stops {
			var state []byte
			for range 1 + rng.IntN(3) {
				if state = f.Stopped(t, r, state, statetest.Soon(rng.Int64N(questions))); state == nil {
					break // it ended before
				}
			}
			if state != nil {
				goesOn("stopped at random", state, r.Config)
			}
		}
		var states [][]byte
		goesOn("with checkpoints", nil, saving(r.Config, 1, &states))
		if epochs := outcome(end).Epochs; len(states) < epochs-1 {
			t.Errorf("%s: %d checkpoints in %d epochs", name, len(states), epochs)
		}
		for k := 0; k < len(states); k += 1 + len(states)/4 {
			goesOn(fmt.Sprintf("from checkpoint %d of %d", k, len(states)), states[k], r.Config)
		}
	})
}

// resumed returns a training as package statetest stops it.
func (f Family[P, C, R]) resumed(t *testing.T, r Training[P, C], check func(p P, c C, got R)) func(context.Context,
	statetest.Stop) (string, *solvers.Outcome, error) {
	p := r.Make(t)
	return func(ctx context.Context, s statetest.Stop) (end string, o *solvers.Outcome, err error) {
		c := With(With(r.Config, "Epochs", s.Epochs), "Checkpoint", s.Checkpoint)
		if s.Progress != nil {
			c = With(c, "Progress", s.Progress)
		}
		var got R
		if s.State == nil {
			got, err = p.Fit(ctx, c)
		} else {
			got, err = p.Resume(ctx, s.State, c)
		}
		if none(got) {
			return "", nil, err
		}
		check(p, c, got)
		out := outcome(got)
		return Bits(t, got), &out, err
	}
}

// stopsAtEpochs: a training that is stopped at each epoch returns models whose primal value never rises, with the
// certificate that loops find.
func (f Family[P, C, R]) stopsAtEpochs(t *testing.T) {
	kept := 0
	f.each(func(name string, r Training[P, C]) {
		train := f.resumed(t, r, func(p P, c C, got R) { f.Honest(t, p, c, got) })
		kept += statetest.Stops(t, name, f.Epochs, 0, func(ctx context.Context, s statetest.Stop) (*solvers.Outcome,
			error) {
			_, o, err := train(ctx, s)
			return o, err
		})
	})
	if kept == 0 && !f.Last {
		t.Error("every stop ended with the model of its epoch")
	}
}

// endsAnywhere: wherever the context of a training ends, a state is saved from which it goes on to the same bits.
func (f Family[P, C, R]) endsAnywhere(t *testing.T) {
	f.each(func(name string, r Training[P, C]) {
		statetest.Anywhere(t, name, f.Looks, f.resumed(t, r, func(P, C, R) {}))
	})
}

// saveFails: a state that cannot be saved, whoever says so, ends a training as a context does, with the error; and the
// error of a context that ends is there besides.
func (f Family[P, C, R]) saveFails(t *testing.T) {
	full := errors.New("disk full")
	for _, r := range f.Trainings {
		for _, writes := range []bool{true, false} {
			checkpoint := solvers.Checkpoint{Every: 1, Save: func(write func(io.Writer) error) error {
				if writes {
					return write(failing{full})
				}
				return full
			}}
			p, c := r.Make(t), With(r.Config, "Checkpoint", checkpoint)
			got, err := p.Fit(context.Background(), c)
			if err == nil && outcome(got).Epochs == 1 { // it ended before
				continue
			}
			if !errors.Is(err, full) || outcome(got).Status != solvers.Canceled || outcome(got).Epochs != 1 {
				t.Fatalf("%s: %s, %v", r.Name, Told(got), err)
			}
			f.Honest(t, p, c, got)
			checkpoint.Every = 0
			c = With(c, "Checkpoint", checkpoint)
			if _, err := p.Fit(statetest.Soon(0), c); !errors.Is(err, full) || !errors.Is(err, context.Canceled) {
				t.Errorf("%s, a context that has ended: %v", r.Name, err)
			}
		}
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

// cancels: a training whose context ends returns the model so far, with its certificate, and the error.
func (f Family[P, C, R]) cancels(t *testing.T) {
	f.each(func(name string, r Training[P, C]) {
		_, questions := f.converged(t, r)
		for _, left := range []int64{0, 3, questions / 2} {
			p := r.Make(t)
			got, err := p.Fit(statetest.Soon(left), r.Config)
			if err == nil && outcome(got).Status == solvers.Converged {
				continue // before that
			}
			if !errors.Is(err, context.Canceled) || none(got) || outcome(got).Status != solvers.Canceled {
				t.Fatalf("%s, asked %d times: %s, %v", name, left, Told(got), err)
			}
			f.Honest(t, p, r.Config, got)
		}
	})
}

// passesUsedUp: a training whose passes are used up says so, and takes no step more from its last state unless it is
// allowed more of them.
func (f Family[P, C, R]) passesUsedUp(t *testing.T) {
	ended := 0
	f.each(func(name string, r Training[P, C]) {
		var states [][]byte
		p, c := r.Make(t), With(r.Config, "Epochs", 1)
		short, err := p.Fit(context.Background(), saving(c, 0, &states))
		if err == nil && outcome(short).Status == solvers.Converged {
			return
		}
		f.Honest(t, p, c, short)
		if err != nil || outcome(short).Status != solvers.EpochLimit {
			t.Fatalf("%s: %s, %v", name, Told(short), err)
		}
		ended++
		again, err := f.fit(context.Background(), r.Make(t), states[len(states)-1], c)
		if err != nil || Bits(t, again) != Bits(t, short) {
			t.Errorf("%s: %.60s, and no passes more: %.60s, %v", name, Told(short), Told(again), err)
		}
	})
	if ended == 0 {
		t.Error("no training takes more than a pass")
	}
}
