package tracenorm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// resumable is a training that tests stop and resume. make returns the problem anew, as another process would.
type resumable[T vec.Float] struct {
	name string
	make func(t testing.TB) Problem[T]
	c    Config
}

// resumables are trainings on each storage: the first on all examples at once, the others on samples of 150 and 600
// first.
func resumables[T vec.Float](t testing.TB) (all []resumable[T]) {
	for name := range forms[T](t, draw(23, 16, 4, 3)) {
		for _, n := range []int{48, 2400} {
			c := Config{Lambda1: .01, Lambda2: .001, Bias: 1, Tol: 1e-5, Seed: 5}
			if n == 48 {
				c.Lambda2, c.Bias, c.Raw = 0, 0, true
			}
			if prove.IsF32[T]() {
				c.Tol = 1e-3
			}
			s := draw(23, n, 5, 3)
			x := forms[T](t, s)[name]
			all = append(all, resumable[T]{fmt.Sprintf("%s, n = %d", name, n), func(testing.TB) Problem[T] {
				return Problem[T]{X: x, Y: s.y, Weights: uneven(n)}
			}, c})
		}
	}
	// With so many classes singular values are looked at in one of two steps.
	s := draw(24, 160, 40, 40)
	x := forms[T](t, s)["dense"]
	return append(all, resumable[T]{"many classes", func(testing.TB) Problem[T] { return Problem[T]{X: x, Y: s.y} },
		Config{Lambda1: .01, Lambda2: .001, Tol: 1e-3, Seed: 5}})
}

// TestResume: a training that stops at random, among its samples and behind them, once or several times, ends with the
// same bits as one that never does.
func TestResume(t *testing.T) { prove.Both(t, testResume[float32], testResume[float64]) }

func testResume[T vec.Float](t *testing.T) {
	for _, r := range resumables[T](t) {
		for _, r.c.Workers = range []int{1, 2} {
			asked := statetest.Soon(1 << 60)
			want, err := r.make(t).Fit(asked, r.c)
			if err != nil || want.Status != solvers.Converged {
				t.Fatal(r.name, told(want), err)
			}
			questions := 1<<60 - asked.Left()
			rng, stops := rand.New(rand.NewPCG(95, uint64(r.c.Workers))), 5
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
					got, err := r.make(t).Resume(context.Background(), bytes.NewReader(state), r.c)
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
func stopped[T vec.Float](t testing.TB, r resumable[T], state []byte, ctx context.Context) (saved []byte) {
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
		got, err = r.make(t).Fit(ctx, c)
	} else {
		got, err = r.make(t).Resume(ctx, bytes.NewReader(state), c)
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
	got, err := r.make(t).Fit(context.Background(), c)
	if err != nil {
		t.Fatal(r.name, err)
	}
	sameEnd(t, r.name+", with checkpoints", got, want)
	if len(states) < want.Epochs-1 {
		t.Errorf("%s: %d checkpoints in %d epochs", r.name, len(states), want.Epochs)
	}
	for k := 0; k < len(states); k += 1 + len(states)/3 {
		got, err := r.make(t).Resume(context.Background(), bytes.NewReader(states[k]), r.c)
		if err != nil {
			t.Fatal(r.name, err)
		}
		sameEnd(t, r.name+", from a checkpoint", got, want)
	}
}

func sameEnd[T vec.Float](t *testing.T, what string, got, want *Result[T]) {
	t.Helper()
	if !sameResult(got, want) {
		t.Errorf("%s: %s, want %s, of the same bits", what, told(got), told(want))
	}
}

// TestBits: the same seed and workers give the same bits, another seed other ones where samples are drawn, as they are
// not from codes.
func TestBits(t *testing.T) { prove.Both(t, testBits[float32], testBits[float64]) }

func testBits[T vec.Float](t *testing.T) {
	for _, r := range resumables[T](t) {
		for _, r.c.Workers = range []int{1, 3} {
			want := fit(t, r.make(t), r.c)
			sameEnd(t, r.name, fit(t, r.make(t), r.c), want)
			other := r.c
			other.Seed++
			if n, _ := r.make(t).X.Dims(); n > 1000 && !strings.HasPrefix(r.name, "codes") &&
				sameResult(fit(t, r.make(t), other), want) {
				t.Errorf("%s: another seed, the same bits", r.name)
			}
		}
	}
}
