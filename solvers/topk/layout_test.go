package topk

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// TestLayouts: in single steps, small blocks and large ones, which hold W by classes, and with several workers W is Xᵀ A after each epoch,
// and the result is honest.
func TestLayouts(t *testing.T) { prove.Both(t, testLayouts[float32], testLayouts[float64]) }

func testLayouts[T vec.Float](t *testing.T) {
	const n, d, m = 520, 6, 20
	x, y := blobs[T](rand.New(rand.NewPCG(51, 52)), n, d, m)
	for j := range d {
		copy(x.Row(1), x.Row(0)) // a duplicate
		x.Row(2)[j] = 0
	}
	best := cpu.Level
	prove.Tiers(func(tier cpu.Tier) {
		for _, workers := range []int{1, 2} {
			for _, size := range []int{1, 8, 64} {
				for _, l := range []Loss{Alpha, Entropy} {
					if l == Entropy && (size < 64 || tier != best) {
						continue
					}
					c := Config{K: 1, Loss: l, Lambda: 1e-3, Workers: workers, BlockSize: size, Tol: 1e-3, Epochs: 1 << 20}
					name := fmt.Sprintf("%v, %v, %d workers, blocks of %d", tier, l, workers, size)
					s, err := newSolver(solvers.Features[T](x), &labels{one: y}, m, c)
					if err != nil {
						t.Fatal(err)
					}
					if s.byClass != (size >= 32) || (s.round > 0) != (workers > 1) {
						t.Fatalf("%s: by classes %t, rounds of %d", name, s.byClass, s.round)
					}
					for range 2 {
						s.epoch(context.Background())
						weightsOfDuals(t, name, s, x.Matrix, float64(2*s.visits))
						for i, ex := range s.ex {
							if term := s.loss.Dual(s.a.Row(i), s.y.of(i), ex.r, &s.work); math.Abs(term-ex.term) > 0x1p-50*m*(ex.r+math.Abs(term)) {
								t.Fatalf("%s: the dual term of example %d is %v, not %v", name, i, term, ex.term)
							}
						}
					}
					if err := s.certify(); err != nil {
						t.Fatal(err)
					}
					weightsOfDuals(t, name, s, x.Matrix, m+4) // rounded once, of sums for y that are exact
					if l == Alpha && size == 64 && tier == best && !testing.Short() {
						converge(t, solvers.Features[T](x), y, c, 1e-3)
					}
				}
			}
		}
	})
}

// weightsOfDuals compares W with Xᵀ A. Entries of A are at most r in size, so an entry of W is never beyond r sum_i |x_ij|, and each of
// the given number of additions rounds by no more than half a unit of that.
func weightsOfDuals[T vec.Float](t *testing.T, name string, s *solver[T], x vec.Matrix[T], additions float64) {
	t.Helper()
	w := s.weights()
	want := make([]float64, s.m)
	for j := range s.d {
		clear(want)
		size := 0.0
		for i := range s.n {
			v := float64(x.Row(i)[j])
			size += math.Abs(v) * s.ex[i].r
			for c, a := range s.a.Row(i) {
				want[c] += v * float64(a)
			}
		}
		for c, v := range w.Row(j) {
			if bound := prove.Unit[T]() * additions * size; !(math.Abs(float64(v)-want[c]) <= bound) {
				t.Fatalf("%s: W[%d,%d] is %v, want %v within %v", name, j, c, v, want[c], bound)
			}
		}
	}
}

// TestRefusedStep: where the kernel of a visit refuses, the visit goes the way of the other losses.
func TestRefusedStep(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(53, 54)), 200, 10, 6)
	after := func(step loss.Step[float64]) *solver[float64] {
		s, err := newSolver(solvers.Features[float64](x), &labels{one: y}, 6, Config{K: 1, Lambda: 1e-3, Tol: 1e-9, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		s.step = step
		for range 3 {
			s.epoch(context.Background())
		}
		return s
	}
	refusals := 0
	want, got := after(nil), after(func(a, s []float64, y int, h, r, term, least float64, delta []float64, w *loss.Workspace[float64]) (gap, after float64, moved, ok bool) {
		refusals++
		return math.NaN(), math.NaN(), false, false
	})
	if refusals == 0 || got.visits != refusals || !slices.Equal(got.a.Data, want.a.Data) || !slices.Equal(got.w.Data, want.w.Data) || got.dual != want.dual {
		t.Errorf("%d refusals in %d visits lead elsewhere", refusals, got.visits)
	}
}
