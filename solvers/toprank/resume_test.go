package toprank

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// resumable is a training that tests stop and resume. make returns the problem anew, as another process would.
type resumable[T vec.Float] struct {
	name string
	make func() Problem[T]
	c    Config
}

// resumables are trainings with each method and loss, on features and on a kernel.
func resumables[T vec.Float](t testing.TB, n int) (all []resumable[T]) {
	for _, p := range append(some(n), grouped(n)...) {
		for _, p := range []ranktruth.Problem{p, linearOf(p)} {
			form := "kernel"
			if p.Kernel == (kernel.Linear{}) {
				form = "dense"
			}
			if p.Groups != nil && len(all)%4 > 1 { // of one loss or the other
				form += ", visits"
			}
			c := configOf(p)
			c.Tol, c.Seed = 1e-5, 5
			if prove.IsF32[T]() {
				c.Tol = 1e-3
			}
			all = append(all, resumable[T]{p.Name, func() Problem[T] { return problemsOf[T](t, p)[form] }, c})
		}
	}
	return all
}

// TestResume: a training that stops at random, between epochs and within them, once or several times, ends with the
// same bits as one that never does.
func TestResume(t *testing.T) { prove.Both(t, testResume[float32], testResume[float64]) }

func testResume[T vec.Float](t *testing.T) {
	for _, r := range resumables[T](t, 40) {
		for _, r.c.Workers = range []int{1, 2} {
			asked := statetest.Soon(1 << 60)
			want, err := r.make().Fit(asked, r.c)
			if err != nil || want.Status != solvers.Converged {
				t.Fatal(r.name, told(want), err)
			}
			questions := 1<<60 - asked.Left()
			rng, stops := rand.New(rand.NewPCG(95, uint64(r.c.Workers))), 4
			if testing.Short() {
				stops = 1
			}
			for range stops {
				var state []byte
				for range 1 + rng.IntN(2) {
					if state = stopped(t, r, state, statetest.Soon(rng.Int64N(questions))); state == nil {
						break // it ended before
					}
				}
				if state != nil {
					got, err := r.make().Resume(context.Background(), bytes.NewReader(state), r.c)
					if err != nil {
						t.Fatal(r.name, err)
					}
					sameEnd(t, r.name, got, want)
				}
			}
			everyEpoch(t, r, want)
		}
	}
}

// saving returns c with checkpoints as often as every tells, which go to save.
func saving(c Config, every time.Duration, save func(state []byte)) Config {
	c.Checkpoint = solvers.Checkpoint{Every: every, Save: func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		save(b.Bytes())
		return err
	}}
	return c
}

// stopped trains from the given state, or from the beginning where there is none, up to the end of ctx, and returns the
// state saved there; nil where training ends before.
func stopped[T vec.Float](t *testing.T, r resumable[T], state []byte, ctx context.Context) (saved []byte) {
	t.Helper()
	c := saving(r.c, 0, func(state []byte) {
		if saved != nil && statetest.Differ(saved, state) != "" {
			t.Error(r.name, "saved twice, and not the same:", statetest.Differ(saved, state))
		}
		saved = state
	})
	var got *Result[T]
	var err error
	if state == nil {
		got, err = r.make().Fit(ctx, c)
	} else {
		got, err = r.make().Resume(ctx, bytes.NewReader(state), c)
	}
	switch {
	case err == nil && got.Status == solvers.Converged: // with a state where the certificate after it is good enough
	case errors.Is(err, context.Canceled) && got != nil && got.Status == solvers.Canceled && saved != nil:
	default:
		t.Fatalf("%s: %s, %v, saved %d bytes", r.name, told(got), err, len(saved))
	}
	return saved
}

// everyEpoch saves a state after each epoch and resumes from some of them; the states change nothing.
func everyEpoch[T vec.Float](t *testing.T, r resumable[T], want *Result[T]) {
	t.Helper()
	var states [][]byte
	c := saving(r.c, 1, func(state []byte) { states = append(states, state) })
	got, err := r.make().Fit(context.Background(), c)
	if err != nil {
		t.Fatal(r.name, err)
	}
	sameEnd(t, r.name+", with checkpoints", got, want)
	if len(states) < want.Epochs-1 {
		t.Errorf("%s: %d checkpoints in %d epochs", r.name, len(states), want.Epochs)
	}
	for k := 0; k < len(states); k += 1 + len(states)/3 {
		got, err := r.make().Resume(context.Background(), bytes.NewReader(states[k]), r.c)
		if err != nil {
			t.Fatal(r.name, err)
		}
		sameEnd(t, r.name+", from a checkpoint", got, want)
	}
}

func sameEnd[T vec.Float](t *testing.T, what string, got, want *Result[T]) {
	t.Helper()
	same := slices.Equal(got.Alpha, want.Alpha) && slices.Equal(got.Beta, want.Beta) && got.Threshold == want.Threshold
	if want.Linear != nil {
		same = same && slices.Equal(got.Linear.Weights().Data, want.Linear.Weights().Data)
	} else {
		same = same && slices.Equal(got.Kernel.Support(), want.Kernel.Support()) &&
			slices.Equal(got.Kernel.Coefficients().Data, want.Kernel.Coefficients().Data)
	}
	if !same || got.Outcome != want.Outcome {
		t.Errorf("%s: %s, want %s; same model and dual variables: %t", what, told(got), told(want), same)
	}
}

// TestCanceled: a training that is stopped returns the model so far with its certificate, and the error.
func TestCanceled(t *testing.T) {
	for _, p := range some(30) {
		for name, q := range problemsOf[float64](t, linearOf(p)) {
			for _, left := range []int64{0, 3} {
				r, err := q.Fit(statetest.Soon(left), configOf(p))
				switch {
				case err == nil && r.Status == solvers.Converged: // before that
				case !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled:
					t.Errorf("%s, %s: %s, %v", p.Name, name, told(r), err)
				default:
					honest(t, linearOf(p), q, r)
				}
			}
		}
	}
}
