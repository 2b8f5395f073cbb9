package topk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
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

// resumables are trainings on every storage and in every layout.
func resumables[T vec.Float]() []resumable[T] {
	features := func(n, d, m, zeros int, storage func(t testing.TB,
		x design.Matrix[T]) Problem[T]) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			rng := rand.New(rand.NewPCG(91, uint64(n)))
			x, y := blobs[T](rng, n, d, m)
			thin(rng, x, zeros)
			p := storage(t, x)
			p.Y = y
			return p
		}
	}
	dense := func(t testing.TB, x design.Matrix[T]) Problem[T] { return Problem[T]{X: x} }
	gaussian := func(t testing.TB, x design.Matrix[T]) Problem[T] {
		return Problem[T]{Kernel: matrix(t, x, kernel.Gaussian{Gamma: .1}, 1<<16)}
	}
	squared := Config{Loss: SquaredHinge, Lambda: 1e-2, Tol: 1e-4}
	hinge, entropy := Config{K: 2, Lambda: 1e-2, Tol: 1e-3}, Config{Loss: TopKEntropy, Lambda: 1e-2, Tol: 1e-4}
	with := func(c Config, size int, bias float64) Config {
		c.BlockSize, c.Bias, c.Seed = size, bias, 5
		return c
	}
	return []resumable[T]{
		{"rows", features(620, 8, 5, 1, dense), with(hinge, 1, 0)},
		{"small blocks", features(620, 8, 5, 1, dense), with(hinge, 8, 1)},
		{"blocks by classes", features(620, 8, 5, 1, dense), with(entropy, 64, 0)},
		{"sparse", features(620, 12, 5, 5, dense), with(hinge, 0, 2)},
		{"groups of outputs", features(150, 12, 40, 5, dense), with(squared, 0, 0)},
		{"kernel", features(150, 8, 5, 1, gaussian), with(hinge, 16, 0)},
	}
}

// compressed is a training on product-quantized examples.
func compressed(t testing.TB) Problem[float32] {
	const n, d, parts, m = 620, 12, 4, 5
	rng := rand.New(rand.NewPCG(93, 94))
	centroids, codes, y := make([]float32, 256*d), make([]byte, n*parts), make([]int, n)
	for i := range centroids {
		centroids[i] = float32(rng.NormFloat64())
	}
	for i := range codes {
		codes[i] = byte(rng.IntN(256))
	}
	q, err := pq.New(d, parts, 8, centroids, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range y {
		y[i] = int(codes[i*parts]) % m
	}
	return Problem[float32]{X: x, Y: y}
}

// TestResume: a training that stops at random, between epochs and within them, once or several times, ends with the
// same bits as one that never does.
func TestResume(t *testing.T) {
	prove.Both(t, func(t *testing.T) {
		for _, r := range append(resumables[float32](), resumable[float32]{"compressed", compressed,
			Config{K: 2, Lambda: 1e-2, Tol: 1e-3}}) {
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
			rng, stops := rand.New(rand.NewPCG(95, uint64(workers))), 50
			if testing.Short() {
				stops = 6
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
	for k := 0; k < len(states); k += 1 + len(states)/4 {
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

// TestResumeEpochs: a training that ran out of passes goes on from its last checkpoint with more of them.
func TestResumeEpochs(t *testing.T) {
	r := resumables[float64]()[0]
	r.c.Workers = 1
	want := solve(t, r.make(t), r.c)
	var last []byte
	c := r.c
	c.Epochs = 5
	c.Checkpoint = solvers.Checkpoint{Every: time.Nanosecond, Save: func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		last = b.Bytes()
		return err
	}}
	if short, err := r.make(t).Fit(context.Background(), c); err != nil || short.Status != solvers.EpochLimit ||
		short.Visits < 5*620 || short.Visits >= 6*620 {
		t.Fatal(told(short), err)
	}
	got, err := r.make(t).Resume(context.Background(), bytes.NewReader(last), r.c)
	if err != nil {
		t.Fatal(err)
	}
	sameEnd(t, "with more epochs", got, want)
}

// TestProgressOfResumed: epochs go on counting where they stopped, and so does the time.
func TestProgressOfResumed(t *testing.T) {
	r := resumables[float64]()[0]
	r.c.Workers = 1
	var first, second []solvers.Progress
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := r.c
	c.Progress = func(p solvers.Progress) {
		if first = append(first, p); p.Epoch == 4 {
			cancel()
		}
	}
	var state bytes.Buffer
	c.Checkpoint.Save = func(write func(io.Writer) error) error { return write(&state) }
	if _, err := r.make(t).Fit(ctx, c); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.Progress, c.Checkpoint = func(p solvers.Progress) { second = append(second, p) }, solvers.Checkpoint{}
	if _, err := r.make(t).Resume(context.Background(), &state, c); err != nil {
		t.Fatal(err)
	}
	if first[3].Epoch != 4 || second[0].Epoch != 5 || second[0].Elapsed < first[3].Elapsed {
		t.Errorf("%+v, resumed with %+v", first[3], second[0])
	}
}

// TestSaveFails: a checkpoint that cannot be saved ends the training as a context does, with the error.
func TestSaveFails(t *testing.T) {
	r := resumables[float64]()[0]
	full := errors.New("disk full")
	for _, writes := range []bool{true, false} {
		c := r.c
		c.Checkpoint = solvers.Checkpoint{Every: 1, Save: func(write func(io.Writer) error) error {
			if writes {
				return write(failing{full})
			}
			return full
		}}
		got, err := r.make(t).Fit(context.Background(), c)
		if !errors.Is(err, full) || got == nil || got.Status != solvers.Canceled || got.Epochs != 1 {
			t.Fatalf("%s, %v", told(got), err)
		}
		honest(t, r.make(t), c, got)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }
