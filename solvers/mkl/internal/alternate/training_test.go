package alternate

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// blobs is a problem of n examples of m classes with three cues: one that tells them apart, one that tells some of
// that, and noise; each with two kernels.
func blobs[T vec.Float](t testing.TB, n, m int, p, cost float64) Problem[T] {
	t.Helper()
	rng := rand.New(rand.NewPCG(91, 92))
	var groups []bundle.Group[T]
	y := make([]int, n)
	for i := range y {
		y[i] = i % m
	}
	for _, spread := range []float64{1, 2.5, 0} {
		centers, x := vec.NewMatrix[float64](m, 6), vec.NewMatrix[T](n, 6)
		for i := range centers.Data {
			centers.Data[i] = rng.NormFloat64()
		}
		for i := range n {
			for j := range 6 {
				v := rng.NormFloat64()
				if spread > 0 {
					v = centers.Row(y[i])[j] + spread*v/2
				}
				x.Row(i)[j] = T(v)
			}
		}
		groups = append(groups, bundle.Group[T]{X: design.Matrix[T](&dataset.Dense[T]{Matrix: x}),
			Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .1}, kernel.Polynomial{Degree: 2, Scale: .2, Offset: 1}}})
	}
	b, err := bundle.New(1<<20, groups...)
	if err != nil {
		t.Fatal(err)
	}
	radius := slices.Repeat([]float64{cost}, n)
	radius[0] = 0 // an example that does not count
	return Problem[T]{
		Bundle: b, P: p, Options: solvers.Options{Tol: 1e-4, Epochs: 1000, Workers: 1},
		Machine: ascent.Problem[T]{Labels: family.Labels{One: y}, Outputs: m, Lambda: 1, Radius: radius,
			Loss: loss.TopKHinge[T]{K: 1}, Exact: loss.TopKHinge[float64]{K: 1}},
	}
}

func solver[T vec.Float](t testing.TB, p Problem[T]) *Solver[T] {
	t.Helper()
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func options[T vec.Float](p Problem[T]) train.Options[T] {
	return train.Options[T]{Options: p.Options, Identity: train.Identity{Family: "test",
		Data: func() []byte { return nil }}}
}

// TestWayBack: steps that are far too long raise the objective; then the next machine is on the weights of the step
// that is known to descend, and in the end the optimum is the same.
func TestWayBack(t *testing.T) {
	for _, norm := range []float64{1.05, 1.5} {
		p := blobs[float64](t, 60, 3, norm, 1)
		want := solver(t, p)
		outcome, err := train.Run(context.Background(), want, options(p), &train.Clock[float64]{})
		if err != nil || outcome.Status != solvers.Converged {
			t.Fatal(outcome, err)
		}
		s, back, rose := solver(t, p), 0, 0
		for range 100 {
			known := s.last.known
			value, log := s.last.value, slices.Clone(s.last.log)
			forms := slices.Clone(s.last.forms)
			if _, whole := s.Epoch(context.Background()); !whole {
				t.Fatal("an epoch that is not whole")
			}
			switch {
			case s.last.known && !known: // it has gone back: the weights are descend's from where the step began
				back++
				w := newWeights(norm, len(log))
				copy(w.log, log)
				w.descend(forms)
				if !reflect.DeepEqual(w.log, s.weights.log) || s.last.value != value {
					t.Fatalf("p = %v: weights %v after the way back, want %v", norm, s.weights.log, w.log)
				}
			case known && s.last.value > value+1e-6*value+s.tol*value:
				rose++
			}
			if s.gap() <= s.levels.Goal {
				break
			}
			if back < 3 && !s.last.known && s.gap() < .02 { // spoil the next step
				for j := range s.weights.log { // towards the noise
					s.weights.log[j] += 12 * float64(j/4)
				}
				s.weights.normalize()
				s.mix.Weigh(s.weights.eta(), 1)
				s.in.Renew(s.tol)
			}
		}
		if back == 0 || rose > 0 {
			t.Errorf("p = %v: went back %d times; %d times the objective rose by the step that is known to descend",
				norm, back, rose)
		}
		if s.gap() > p.Tol {
			t.Errorf("p = %v: a gap of %v", norm, s.gap())
		}
		if c, err := s.Certify(); err != nil || math.Abs(c.Primal-outcome.Certificate.Primal) > 2*p.Tol*c.Primal {
			t.Errorf("p = %v: %v, %v, want %v", norm, c, err, outcome.Certificate)
		}
	}
}

// TestLevels: a training on some examples at a time comes to the same optimum, in float32 too.
func TestLevels(t *testing.T) { prove.Both(t, levels[float32], levels[float64]) }

func levels[T vec.Float](t *testing.T) {
	p := blobs[T](t, 600, 4, 1.2, 1)
	p.Tol = 1e-3
	whole := solver(t, p)
	want, err := train.Run(context.Background(), whole, options(p), &train.Clock[T]{})
	if err != nil || want.Status != solvers.Converged {
		t.Fatal(want, err)
	}
	p.ActiveFrom, p.Workers = 200, 2
	s := solver(t, p)
	if s.levels.Last() {
		t.Fatal("one level")
	}
	got, err := train.Run(context.Background(), s, options(p), &train.Clock[T]{})
	if err != nil || got.Status != solvers.Converged {
		t.Fatal(got, err)
	}
	if c, d := got.Certificate, want.Certificate; c.Primal < d.Dual || d.Primal < c.Dual {
		t.Errorf("%v, want %v", c, d)
	}
	if len(s.levels.At()) >= 600 {
		t.Errorf("all %d examples are active", len(s.levels.At()))
	}
	// A start from the solution is one.
	eta, _ := s.Weights(got.Primal)
	again := solver(t, p)
	if c, err := again.Start(s.Duals(), got.Primal.Matrices[0], eta); err != nil || c.RelativeGap() > p.Tol {
		t.Errorf("started with %v, %v", c, err)
	}
	// A start from elsewhere, after which other examples become active, has the certificate of its variables.
	again = solver(t, p)
	half := s.Duals()
	clear(half.Data[:len(half.Data)/2])
	c, err := again.Start(half, half, eta)
	if err != nil || len(again.levels.At()) < 300 {
		t.Fatalf("%d examples are active: %v", len(again.levels.At()), err)
	}
	started, err := again.PrimalVariables()
	if err != nil {
		t.Fatal(err)
	}
	eta, _ = again.Weights(started)
	if d, err := again.Evaluate(eta, started.Matrices[0], again.Duals()); err != nil ||
		math.Abs(c.Primal-d.Primal) > 1e-12*c.Primal || d.Dual != c.Dual {
		t.Errorf("started with %v, %v", c, d)
	}
}

// TestScores: the scores that a machine with momentum goes by are K A, after the weights have moved, too.
func TestScores(t *testing.T) {
	s := solver(t, blobs[float64](t, 120, 3, 1.25, 10))
	if err := s.Activate(s.levels.At()); err != nil {
		t.Fatal(err)
	}
	s.in.Momentum(true)
	eta, f := s.weights.eta(), vec.NewMatrix[float64](len(s.levels.At()), s.m)
	for moves := range 4 {
		s.in.Renew(1e-9)
		for range 8 {
			s.in.Epoch(context.Background())
			s.mix.Multiply(f, s.in.Duals(), 1)
			for i := range f.Rows {
				for c, v := range f.Row(i) {
					if got := s.in.Scores(i)[c]; math.Abs(got-v) > 1e-9 {
						t.Fatalf("after %d moves the score of row %d and class %d is %v, want %v", moves, i, c, got, v)
					}
				}
			}
		}
		eta[moves] /= 2
		s.mix.Weigh(eta, 1)
	}
}

// TestResume: a training that was stopped anywhere, in levels too, and resumed ends with the same bits, and one whose
// state another checkpoint of the same training is, too.
func TestResume(t *testing.T) {
	for _, from := range []int{0, 80} {
		p := blobs[float32](t, 240, 3, 1.1, 1)
		p.Tol, p.ActiveFrom = 1e-3, from
		whole := solver(t, p)
		want, err := train.Run(context.Background(), whole, options(p), &train.Clock[float32]{})
		if err != nil {
			t.Fatal(err)
		}
		for asked := int64(1); ; asked += 7 {
			var state bytes.Buffer
			o := options(p)
			o.Checkpoint = solvers.Checkpoint{Save: func(write func(io.Writer) error) error {
				state.Reset()
				return write(&state)
			}}
			ctx := statetest.Soon(asked)
			_, err := train.Run(ctx, solver(t, p), o, &train.Clock[float32]{})
			if err == nil {
				break
			}
			s, clock := solver(t, p), train.Clock[float32]{}
			if err := train.Resume(bytes.NewReader(state.Bytes()), o.Identity, &clock, s); err != nil {
				t.Fatalf("asked %d times: %v", asked, err)
			}
			got, err := train.Run(context.Background(), s, options(p), &clock)
			if err != nil || got.Outcome != want.Outcome {
				t.Fatalf("asked %d times: %v, %v, want %v", asked, got, err, want)
			}
			if !reflect.DeepEqual(got.Primal, want.Primal) || !slices.Equal(s.Duals().Data, whole.Duals().Data) {
				t.Fatalf("asked %d times: other bits", asked)
			}
		}
	}
}

// TestMultiples: the best multiples are better than those beside them, by margins and by losses.
func TestMultiples(t *testing.T) {
	p := blobs[float64](t, 40, 3, 1.5, 1)
	s, rng := solver(t, p), rand.New(rand.NewPCG(93, 94))
	scores := vec.NewMatrix[float64](40, 3)
	for i := range scores.Data {
		scores.Data[i] = 3 * rng.NormFloat64()
	}
	at := s.levels.All()
	row := func(p int) []float64 { return scores.Row(at[p]) }
	for _, square := range []float64{.1, 3, 50} {
		times, best := s.bestPrimal(square, at, row)
		losses := s.lossesAt(at, row)
		generic := *s
		inner := *s.inner
		inner.Loss = loss.TopKUsunier[float64]{K: 1} // the same loss, which has no margin
		generic.inner = &inner
		byLoss := generic.lossesAt(at, row)
		for _, v := range []float64{0, .3, 1, times} {
			if a, b := losses(v), byLoss(v); math.Abs(a-b) > 1e-12*a {
				t.Errorf("losses %v by margins and %v at %v", a, b, v)
			}
		}
		if want := times*times/2*square + losses(times); math.Abs(want-best) > 1e-12*want {
			t.Errorf("%v at %v, want %v", best, times, want)
		}
		for v := 0.0; v <= 2; v += 1e-3 {
			if value := v*v/2*square + losses(v); value < best*(1-1e-6) {
				t.Fatalf("|w|² = %v: %v at %v, but %v at %v", square, best, times, value, v)
			}
		}
	}
	if times, dual := bestDual(2, 4, 10); times != .5 || dual != .5 {
		t.Errorf("%v at %v, want .5 at .5", dual, times)
	}
	if times, dual := bestDual(2, 4, .25); times != .25 || dual != .375 {
		t.Errorf("%v at %v, want .375 at .25, where the domain ends", dual, times)
	}
	if times, dual := bestDual(-1, 4, 1); times != 0 || dual != 0 {
		t.Errorf("%v at %v of a dual that falls", dual, times)
	}
}

// TestMostEpochs: a machine that does not reach its gap ends after mostEpochs epochs, and the weights move.
func TestMostEpochs(t *testing.T) {
	s := solver(t, blobs[float64](t, 30, 3, 1.5, 1))
	if err := s.Activate(s.levels.At()); err != nil {
		t.Fatal(err)
	}
	s.tol = -1 // no gap is as small
	if _, whole := s.Epoch(context.Background()); !whole {
		t.Fatal("an epoch that is not whole")
	}
	if steps, rounds := s.Steps(); steps != 1 || rounds != mostEpochs {
		t.Errorf("%d steps of the weights after %d epochs, want 1 after %d", steps, rounds, mostEpochs)
	}
}
