package topk

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// TestRounds: what epochs of several workers count is what their dual variables come to, whether moves add up or, because examples nearly
// agree, their mean is taken.
func TestRounds(t *testing.T) {
	for _, spread := range []float64{1, 0.01} {
		x, y := blobs[float64](rand.New(rand.NewPCG(43, 44)), 2000, 20, 6)
		for i := range x.Data {
			x.Data[i] = 1 + spread*x.Data[i]
		}
		s, err := newSolver(solvers.Features[float64](x), &labels{one: y}, 6, Config{K: 2, Lambda: 1e-4, Tol: 1e-9, Workers: 4})
		if err != nil {
			t.Fatal(err)
		}
		if s.round == 0 {
			t.Fatal("one worker")
		}
		for range 5 {
			s.epoch(context.Background())
			if s.epochs == 1 && s.visits != 2000 {
				t.Errorf("spread %v: %d visits of 2000 examples", spread, s.visits)
			}
			dual, gaps := 0.0, 0.0
			for i := range s.ex {
				ex := &s.ex[i]
				if term := s.loss.Dual(s.a.Row(i), s.y.of(i), ex.r, &s.work); ex.term != term {
					t.Fatalf("spread %v: the dual term of example %d is %v, not %v", spread, i, term, ex.term)
				}
				dual, gaps = dual+ex.term, gaps+ex.gap
			}
			if d := math.Abs(s.dual-dual) + math.Abs(s.gaps-gaps); d > 1e-9*(math.Abs(dual)+gaps) {
				t.Errorf("spread %v, epoch %d: sums %v and %v, want %v and %v", spread, s.epochs, s.dual, s.gaps, dual, gaps)
			}
			before := s.certificate.Dual
			if err := s.certify(); err != nil {
				t.Fatal(err)
			}
			if s.certificate.Dual < before {
				t.Errorf("spread %v, epoch %d: the dual value falls from %v to %v", spread, s.epochs, before, s.certificate.Dual)
			}
		}
	}
}

// endsSoon is a context that ends when it has been asked a few times.
type endsSoon struct {
	context.Context
	left int
}

func (c *endsSoon) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCanceledEpoch: what an epoch that is cut short has not visited stays due.
func TestCanceledEpoch(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(45, 46)), 500, 20, 6)
	for _, workers := range []int{1, 2} {
		s, err := newSolver(solvers.Features[float64](x), &labels{one: y}, 6, Config{K: 2, Lambda: 1e-3, Tol: 1e-9, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if s.epoch(&endsSoon{context.Background(), 2}) {
			t.Fatal("a whole epoch")
		}
		due := s.take(s.epochs+1, nil)
		for later := 2; later <= maxWait; later++ {
			due = s.take(s.epochs+later, due)
		}
		if len(due) != 500 {
			t.Errorf("%d workers: %d examples are due after an epoch cut short, want 500", workers, len(due))
		}
	}
}
