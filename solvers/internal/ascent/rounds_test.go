package ascent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
)

// TestRounds: what epochs of several workers count is what their dual variables come to, whether moves add up or,
// because examples nearly agree, their mean is taken; on dense examples and on sparse ones.
func TestRounds(t *testing.T) {
	for _, spread := range []float64{1, 0.01} {
		x, y := blobs[float64](rand.New(rand.NewPCG(43, 44)), 2000, 20, 6)
		for i := range x.Data {
			x.Data[i] = 1 + spread*x.Data[i]
		}
		testRounds(t, design.Matrix[float64](x), y, 2)
		for i := range x.Data {
			if i%20%7 > 1 {
				x.Data[i] = 0
			}
		}
		testRounds(t, design.Matrix[float64](sparse(t, x)), y, 2)
	}
}

func testRounds(t *testing.T, x design.Matrix[float64], y []int, k int) {
	t.Helper()
	p := hinge(t, x, y, 6, k, 1e-4)
	s := training(t, p, Options{Options: solvers.Options{Tol: 1e-9, Workers: 4}, Round: 32})
	if s.rounds.least == 0 {
		t.Fatal("one worker")
	}
	for range 5 {
		s.Epoch(context.Background())
		if s.epoch == 1 && s.visits != 2000 {
			t.Errorf("%T: %d visits of 2000 examples", x, s.visits)
		}
		dual, gaps := 0.0, 0.0
		for i := range s.ex {
			ex := &s.ex[i]
			if term := p.Loss.Dual(s.a.Row(i), p.Labels.Of(i), ex.r, &s.work); ex.term != term {
				t.Fatalf("%T: the dual term of example %d is %v, not %v", x, i, term, ex.term)
			}
			dual, gaps = dual+ex.term, gaps+ex.gap
		}
		if d := math.Abs(s.dual-dual) + math.Abs(s.gaps-gaps); d > 1e-9*(math.Abs(dual)+gaps) {
			t.Errorf("%T, epoch %d: sums %v and %v, want %v and %v", x, s.epoch, s.dual, s.gaps, dual, gaps)
		}
		before := s.certificate.Dual
		if certify(t, Solver[float64](s)).Dual < before {
			t.Errorf("%T, epoch %d: the dual value falls from %v to %v", x, s.epoch, before, s.certificate.Dual)
		}
	}
}

// TestCoupledRounds: the quadratic term that several workers tell is the dual variables', with an R that has an inverse
// and with one that has none, whether moves add up or a part of them is taken; and the dual value never falls.
func TestCoupledRounds(t *testing.T) {
	for _, rank := range []int{3, 20} {
		for _, spread := range []float64{1, 0.01} {
			for _, size := range []int{1, 8, 64} {
				name := fmt.Sprintf("rank %d, spread %v, blocks of %d", rank, spread, size)
				x, _ := blobs[float64](rand.New(rand.NewPCG(43, 44)), 2000, 20, 6)
				for i := range x.Data {
					x.Data[i] = 1 + spread*x.Data[i]
				}
				s := training(t, labelled(t, design.Matrix[float64](x), 6, rank, false),
					Options{Options: solvers.Options{Tol: 1e-9, Workers: 4}, Round: 32, BlockSize: size})
				if known := s.workers[1].forms.known(); len(s.workers) != 5 || known != (rank > 6) {
					t.Fatalf("%s: %d workers, R⁻¹ is known: %t", name, len(s.workers), known)
				}
				for range 8 {
					s.Epoch(context.Background())
					before, quadratic := s.certificate.Dual, s.quadratic
					after := certify(t, Solver[float64](s)).Dual
					if after < before {
						t.Errorf("%s, epoch %d: the dual value falls from %v to %v", name, s.epoch, before, after)
					}
					// R⁻¹ makes 2^8 of a rounding at most, and scores are sums of 2000 moves of 20 features.
					if math.Abs(quadratic-s.quadratic) > 1e-9*s.quadratic {
						t.Errorf("%s, epoch %d: a quadratic term of %v, %v anew", name, s.epoch, quadratic, s.quadratic)
					}
				}
			}
		}
	}
}

// TestCanceledEpoch: what an epoch that is cut short has not visited is what is left of it; it goes on there, and then
// every example has been visited once.
func TestCanceledEpoch(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(45, 46)), 500, 20, 6)
	for _, workers := range []int{1, 2} {
		s := training(t, hinge(t, design.Matrix[float64](x), y, 6, 2, 1e-3),
			Options{Options: solvers.Options{Tol: 1e-9, Workers: workers}, Round: 32})
		if _, whole := s.Epoch(soon(2)); whole {
			t.Fatal("a whole epoch")
		}
		visits, n := s.Visits()
		if visits == 0 || visits != s.from || n != 500 || len(s.due) != 500 {
			t.Errorf("%d workers: %d visits, %d of %d in an epoch cut short", workers, visits, s.from, len(s.due))
		}
		if !s.schedule.sound(s.due[s.from:]) {
			t.Errorf("%d workers: an example is due twice or never", workers)
		}
		if epoch, whole := s.Epoch(context.Background()); epoch != 1 || !whole || s.visits != 500 {
			t.Errorf("%d workers: %d visits in epoch %d, whole %t", workers, s.visits, epoch, whole)
		}
		due := s.schedule.take(s.epoch+1, nil)
		for later := 2; later <= maxWait; later++ {
			due = s.schedule.take(s.epoch+later, due)
		}
		if len(due) != 500 {
			t.Errorf("%d workers: %d examples are due after an epoch, want 500", workers, len(due))
		}
	}
}

// TestRoundsConverge: three workers come to the optimum of one, on dense and on sparse examples and with a coupling,
// by other steps and to the same bits each time.
func TestRoundsConverge(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(49, 50)), 600, 12, 6)
	for name, p := range map[string]Problem[float64]{
		"dense":  hinge(t, design.Matrix[float64](x), y, 6, 2, 1e-3),
		"sparse": hinge(t, design.Matrix[float64](sparse(t, x)), y, 6, 2, 1e-3),
		"R":      labelled(t, design.Matrix[float64](x), 6, 20, false),
	} {
		fit := func(workers int) (solvers.Certificate, []float64) {
			o := Options{Options: solvers.Options{Tol: 1e-4, Workers: workers, Epochs: 10000}, Round: 16}
			s := training(t, p, o)
			end, err := train.Run(t.Context(), s, train.Options[float64]{Options: o.Options},
				&train.Clock[float64]{})
			if err != nil || end.Status != solvers.Converged || (s.rounds.least > 0) != (workers > 1) {
				t.Fatalf("%s, %d workers, rounds of %d: %v, %v", name, workers, s.rounds.least, end, err)
			}
			return end.Certificate, s.a.Data
		}
		one, a := fit(1)
		three, b := fit(3)
		_, again := fit(3)
		if one.Dual > three.Primal || three.Dual > one.Primal || slices.Equal(a, b) || !slices.Equal(b, again) {
			t.Errorf("%s: %v by one worker, %v by three; the same steps %t, twice the same %t", name, one, three,
				slices.Equal(a, b), slices.Equal(b, again))
		}
	}
}
