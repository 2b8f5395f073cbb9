package alternate

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// TestEndAnywhere: wherever the context of a training by levels ends, a state is saved from which training goes on to
// the same bits.
func TestEndAnywhere(t *testing.T) { prove.Both(t, testEndAnywhere[float32], testEndAnywhere[float64]) }

func testEndAnywhere[T vec.Float](t *testing.T) {
	p := blobs[T](t, 240, 3, 1.1, 1)
	p.Tol, p.ActiveFrom = 1e-3, 80
	holds := statetest.Anywhere(t, "levels", 30, func(ctx context.Context, stop statetest.Stop) (string,
		*solvers.Outcome, error) {
		p.Epochs = stop.Epochs
		s, clock, o := solver(t, p), train.Clock[T]{}, options(p)
		o.Epochs, o.Checkpoint = stop.Epochs, stop.Checkpoint
		if stop.State != nil {
			if err := train.Resume(stop.State, o.Identity, &clock, s); err != nil {
				return "", nil, err
			}
		}
		got, err := train.Run(ctx, s, o, &clock)
		return statetest.End(got.Outcome, got.Primal, s.Duals().Data), &got.Outcome, err
	})
	if holds < 6 {
		t.Errorf("%d looks before work that takes long, want the levels' looks too", holds)
	}
}

// TestLook: where a training by levels has looked at all others, its estimate has the losses of all examples, as the
// certificate of its model, and who may have a loss is active; no level that is left spoils an estimate.
func TestLook(t *testing.T) {
	p := blobs[float64](t, 600, 4, 1.2, 1)
	p.Tol, p.ActiveFrom = 1e-3, 200
	s := solver(t, p)
	for range 1000 {
		if s.Epoch(context.Background()); math.IsNaN(s.estimate.Primal) {
			t.Fatal("a certificate is due for no reason")
		}
		if s.looked && !s.partial {
			break
		}
	}
	before := s.estimate
	c, err := s.Evaluate(s.primal.eta(), s.primal.coefficients(s.n), s.Duals())
	if err != nil || !s.looked || math.Abs(c.Primal-before.Primal) > 1e-9*c.Primal {
		t.Errorf("looked: %t, estimate %v, certificate %v, %v", s.looked, before, c, err)
	}
	for _, i := range s.lossy {
		if s.levels.Place(i) < 0 {
			t.Errorf("example %d has a loss and is not active", i)
		}
	}
	support := s.Support()
	for _, i := range support {
		if p := s.levels.Place(i); isZero(s.in.Duals().Row(p)) && !slices.Contains(s.dual.at, i) {
			t.Errorf("example %d has no dual variables", i)
		}
	}
	if len(support) >= len(s.levels.At()) {
		t.Errorf("%d active examples, all of the support", len(support))
	}
}

// TestBeginSettled: where the weights' part of the gap is small, a machine on new examples has what it leaves of the
// goal.
func TestBeginSettled(t *testing.T) {
	s := solver(t, blobs[float64](t, 40, 3, 1.25, 1))
	if err := s.Activate(s.levels.At()); err != nil {
		t.Fatal(err)
	}
	for _, part := range []float64{0, .25, .75} {
		s.rest = part * s.levels.Goal
		if s.begin(); math.Abs(s.tol-(1-part)*s.levels.Goal) > 1e-12*s.tol {
			t.Errorf("a tolerance of %v, of a goal of %v with a rest of %v", s.tol, s.levels.Goal, s.rest)
		}
	}
	s.rest = .85 * s.levels.Goal
	if s.begin(); s.tol < s.levels.Goal {
		t.Errorf("a tolerance of %v, of a goal of %v with a rest of %v", s.tol, s.levels.Goal, s.rest)
	}
}

// TestInside: the best multiples are asked where they may be what a tolerance wants: above it, and no more than ten
// times.
func TestInside(t *testing.T) {
	s := solver(t, blobs[float64](t, 40, 3, 1.25, 1))
	if err := s.Activate(s.levels.At()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s.in.Epoch(context.Background())
	}
	own := s.in.Estimate()
	gap, best := own.RelativeGap(), s.atBest(own)
	if best == own {
		t.Fatal("multiples make no difference: this test cannot fail")
	}
	for tol, want := range map[float64]solvers.Certificate{
		1: own, gap: own, gap * .999: best, gap / 9.5: best, gap / 10.5: own,
	} {
		if s.tol = tol; s.inside() != want {
			t.Errorf("tolerance %v, gap %v: %v, want %v", tol, gap, s.inside(), want)
		}
	}
}

// TestPointSizes: a point of a state has a weight for each kernel, and for each example a row of dual variables, one
// for each class.
func TestPointSizes(t *testing.T) {
	const n, m, kernels = 5, 3, 2
	for _, c := range []struct {
		at, weights, rows, cols int
		value                   float64
		sound                   bool
	}{
		{2, 2, 2, 3, 7, true}, {0, 2, 0, 3, 7, true}, {0, 0, 0, 0, infinite, true},
		{1, 2, 1, 2, 7, false}, {2, 2, 1, 3, 7, false}, {1, 2, 2, 3, 7, false}, {2, 1, 2, 3, 7, false},
		{0, 0, 0, 0, 7, false}, {1, 0, 0, 0, infinite, false}, {1, 0, 1, 3, infinite, false},
	} {
		p := point[float64]{value: c.value, times: 1, at: make([]int, c.at), a: vec.NewMatrix[float64](c.rows, c.cols),
			log: make([]float64, c.weights)}
		for k := range p.at {
			p.at[k] = k
		}
		var file bytes.Buffer
		w := container.NewWriter(&file, "test", 1)
		p.save(w)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := container.Open(&file)
		if err != nil {
			t.Fatal(err)
		}
		new(point[float64]).load(r, n, m, kernels)
		if err := r.Close(); c.sound != (err == nil) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
