package m3l

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// resumable is a training that tests stop and resume. make returns the problem anew, as another process would.
type resumable[T vec.Float] struct {
	name string
	make func(t testing.TB) Problem[T]
	c    Config
}

// resumables are trainings on every storage and in every layout, with R, with P and without.
func resumables[T vec.Float]() []resumable[T] {
	features := func(n, d, m, zeros, rank int, margins bool) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			rng := rand.New(rand.NewPCG(91, uint64(n)))
			x, sets := documents[T](rng, n, d, m)
			p := Problem[T]{Sets: sets, X: x}
			if zeros > 1 {
				_, p.X = thin(t, rng, x, zeros)
			}
			if rank > 0 {
				p.R = lowRank(rng, m, rank)
			}
			if margins {
				p.Margins = someMargins
			}
			return p
		}
	}
	gaussian := func(make func(t testing.TB) Problem[T]) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			p := make(t)
			p.X, p.Kernel = nil, kernelOf(t, p.X, kernel.Gaussian{Gamma: .1})
			return p
		}
	}
	byFactor := func(make func(t testing.TB) Problem[T], m, rank int, ridge float64) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			p := make(t)
			p.P, p.Ridge = factor(rand.New(rand.NewPCG(92, uint64(rank))), m, rank), ridge
			return p
		}
	}
	c := Config{C: .1, Tol: 1e-3, Seed: 5}
	with := func(loss Loss, size int, bias float64) Config {
		c := c
		c.Loss, c.BlockSize, c.Bias = loss, size, bias
		return c
	}
	return []resumable[T]{
		{"rows", features(160, 8, 5, 1, 0, false), with(Hamming, 1, 0)},
		{"blocks", features(160, 8, 5, 1, 0, true), with(Hamming, 64, 1)},
		{"squared", features(160, 8, 5, 1, 0, false), with(SquaredHinge, 8, 0)},
		{"R", features(160, 8, 5, 1, 3, false), with(Hamming, 0, 0)},
		{"R in blocks by labels", features(160, 8, 5, 1, 8, true), with(Hamming, 64, 2)},
		{"R on sparse examples", features(160, 12, 20, 5, 5, false), with(SquaredHinge, 0, 0)},
		{"groups of labels", features(100, 12, 40, 5, 0, false), with(Hamming, 0, 2)},
		{"margins in groups", features(100, 12, 40, 5, 0, true), with(Hamming, 0, 0)},
		{"kernel", gaussian(features(100, 8, 5, 1, 0, false)), with(Hamming, 16, 0)},
		{"kernel with R", gaussian(features(100, 8, 5, 1, 3, true)), with(Hamming, 16, 0)},
		{"P", byFactor(features(160, 8, 5, 1, 0, false), 5, 3, 0), with(Hamming, 0, 2)},
		{"P in blocks by columns", byFactor(features(160, 8, 5, 1, 0, true), 5, 2, .5), with(Hamming, 64, 0)},
		{"P on sparse examples", byFactor(features(160, 12, 40, 5, 0, false), 40, 3, 0), with(SquaredHinge, 0, 0)},
		{"kernel with P", byFactor(gaussian(features(100, 8, 5, 1, 0, true)), 5, 2, .25), with(Hamming, 16, 0)},
	}
}

// TestResume: a training that stops at random, between epochs and within them, once or several times, ends with the
// same bits as one that never does.
func TestResume(t *testing.T) {
	prove.Both(t, func(t *testing.T) {
		for _, r := range append(resumables[float32](),
			resumable[float32]{"compressed", func(t testing.TB) Problem[float32] {
				x, sets := compressed(t, 300, 5)
				return Problem[float32]{X: x, Sets: sets, R: lowRank(rand.New(rand.NewPCG(1, 2)), 5, 2)}
			}, Config{C: .1}}) {
			testResume(t, r)
		}
	}, func(t *testing.T) {
		for _, r := range resumables[float64]() {
			testResume(t, r)
		}
	})
}

func testResume[T vec.Float](t *testing.T, r resumable[T]) {
	for _, workers := range []int{1, 2} {
		r.c.Workers = workers
		t.Run(fmt.Sprintf("%s/%d workers", r.name, workers), func(t *testing.T) {
			asked := statetest.Soon(1 << 60)
			want, err := r.make(t).Fit(asked, r.c)
			if err != nil || want.Status != solvers.Converged {
				t.Fatal(told(want), err)
			}
			questions := 1<<60 - asked.Left()
			rng, stops := rand.New(rand.NewPCG(95, uint64(workers))), 8
			if testing.Short() {
				stops = 2
			}
			for range stops {
				// Up to three stops, each after some of the questions whether to go on that the whole training asks.
				var state []byte
				for range 1 + rng.IntN(3) {
					if state = stopped(t, r, state, statetest.Soon(rng.Int64N(questions))); state == nil {
						break // it ended before
					}
				}
				if state == nil {
					continue
				}
				got, err := r.make(t).Resume(context.Background(), bytes.NewReader(state), r.c)
				if err != nil {
					t.Fatal(err)
				}
				sameEnd(t, "stopped within epochs", got, want)
			}
			everyEpoch(t, r, want)
		})
	}
}

// stopped trains from the given state, or from the beginning where there is none, up to the end of ctx, and returns the
// state saved there; nil where training ends before.
func stopped[T vec.Float](t *testing.T, r resumable[T], state []byte, ctx context.Context) (saved []byte) {
	t.Helper()
	c := r.c
	c.Checkpoint.Save = func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		if saved != nil && statetest.Differ(saved, b.Bytes()) != "" {
			t.Error("saved twice, and not the same:", statetest.Differ(saved, b.Bytes()))
		}
		saved = b.Bytes()
		return err
	}
	var got *Result[T]
	var err error
	if state == nil {
		got, err = r.make(t).Fit(ctx, c)
	} else {
		got, err = r.make(t).Resume(ctx, bytes.NewReader(state), c)
	}
	switch {
	case err == nil && got.Status == solvers.Converged: // with a state where the certificate after it is good enough
	case errors.Is(err, context.Canceled) && got.Status == solvers.Canceled && saved != nil:
	default:
		t.Fatalf("%s, %v, saved %d bytes", told(got), err, len(saved))
	}
	return saved
}

// everyEpoch saves a state after each epoch and resumes from some of them; the states change nothing.
func everyEpoch[T vec.Float](t *testing.T, r resumable[T], want *Result[T]) {
	t.Helper()
	var states [][]byte
	c := r.c
	c.Checkpoint = solvers.Checkpoint{Every: 1, Save: func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		states = append(states, b.Bytes())
		return err
	}}
	got, err := r.make(t).Fit(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	sameEnd(t, "with checkpoints", got, want)
	if len(states) < want.Epochs-1 {
		t.Errorf("%d checkpoints in %d epochs", len(states), want.Epochs)
	}
	for k := 0; k < len(states); k += 1 + len(states)/3 {
		got, err := r.make(t).Resume(context.Background(), bytes.NewReader(states[k]), r.c)
		if err != nil {
			t.Fatal(err)
		}
		sameEnd(t, fmt.Sprintf("from checkpoint %d of %d", k, len(states)), got, want)
	}
}

func sameEnd[T vec.Float](t *testing.T, what string, got, want *Result[T]) {
	t.Helper()
	same := slices.Equal(got.Duals.Data, want.Duals.Data)
	if want.Linear != nil {
		same = same && slices.Equal(got.Linear.Weights().Data, want.Linear.Weights().Data) &&
			slices.Equal(got.Linear.Bias(), want.Linear.Bias())
	} else {
		same = same && slices.Equal(got.Kernel.Support(), want.Kernel.Support()) &&
			slices.Equal(got.Kernel.Coefficients().Data, want.Kernel.Coefficients().Data)
	}
	if !same || got.Outcome != want.Outcome {
		t.Errorf("%s: %s, want %s; same model and dual variables: %t", what, told(got), told(want), same)
	}
}

// TestPassesUsedUp: a training whose passes are used up goes on from its last state with more of them to the same end.
func TestPassesUsedUp(t *testing.T) {
	for _, r := range resumables[float64]() {
		r.c.Workers = 1
		want := solve(t, r.make(t), r.c)
		var last []byte
		c := r.c
		c.Epochs = 3
		c.Checkpoint.Save = func(write func(io.Writer) error) error {
			var b bytes.Buffer
			err := write(&b)
			last = b.Bytes()
			return err
		}
		short, err := r.make(t).Fit(context.Background(), c)
		if err != nil || short.Status != solvers.EpochLimit {
			t.Fatalf("%s: %s, %v", r.name, told(short), err)
		}
		honest(t, r.make(t), c, short)
		got, err := r.make(t).Resume(context.Background(), bytes.NewReader(last), r.c)
		if err != nil {
			t.Fatal(err)
		}
		sameEnd(t, r.name+", with more passes", got, want)
	}
}
