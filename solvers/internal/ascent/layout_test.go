package ascent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// TestLayouts: in single steps, small blocks and large ones, which hold W by classes, and with several workers W is Xᵀ
// A after each epoch, the sums are the sums over the examples, and training converges.
func TestLayouts(t *testing.T) { prove.Both(t, testLayouts[float32], testLayouts[float64]) }

func testLayouts[T vec.Float](t *testing.T) {
	const n, d, m = 520, 6, 20
	x, y := blobs[T](rand.New(rand.NewPCG(51, 52)), n, d, m)
	for j := range d {
		copy(x.Row(1), x.Row(0)) // a duplicate
		x.Row(2)[j] = 0
	}
	hinge := hinge(t, design.Matrix[T](x), y, m, 1, 1e-3)
	entropy := problem(t, design.Matrix[T](x), y, m, loss.Loss[T](loss.TopKEntropy[T]{K: 1}),
		loss.Loss[float64](loss.TopKEntropy[float64]{K: 1}), 1e-3)
	best := cpu.Level
	prove.Tiers(func(tier cpu.Tier) {
		for _, workers := range []int{1, 2} {
			for _, size := range []int{1, 8, 64} {
				for _, p := range []Problem[T]{hinge, entropy} {
					name := fmt.Sprintf("%v, %v, %d workers, blocks of %d", tier, p.Loss.Traits().Name, workers, size)
					all := p.Loss.Traits().AllMove
					if all && (size < 64 || tier != best) {
						continue
					}
					s := training(t, p, Options{Options: solvers.Options{Workers: workers, Tol: 1e-3}, BlockSize: size,
						Round: 32})
					if s.weights.byClass != (size >= 32) || (s.rounds.least > 0) != (workers > 1) {
						t.Fatalf("%s: by classes %t, rounds of %d", name, s.weights.byClass, s.rounds.least)
					}
					for range 2 {
						s.Epoch(context.Background())
						weightsOfDuals(t, name, s, x.Matrix, float64(2*s.visits))
						for i, ex := range s.ex {
							if term := p.Loss.Dual(s.a.Row(i), p.Labels.Of(i), ex.r, &s.work); math.Abs(
								term-ex.term) > 0x1p-50*m*(ex.r+math.Abs(term)) {
								t.Fatalf("%s: the dual term of example %d is %v, not %v", name, i, term, ex.term)
							}
						}
					}
					certify(t, Solver[T](s))
					weightsOfDuals(t, name, s, x.Matrix, m+4) // rounded once, of sums for y that are exact
					if !all && size == 64 && tier == best && !testing.Short() {
						converges(t, name, s)
					}
				}
			}
		}
	})
}

// converges trains to a gap of 1e-3.
func converges[T vec.Float](t *testing.T, name string, s *linearSolver[T]) {
	t.Helper()
	for epoch := range 4000 {
		s.Epoch(context.Background())
		if epoch%100 == 99 {
			if certify(t, Solver[T](s)).RelativeGap() <= 1e-3 {
				return
			}
			s.Reconsider()
		}
	}
	t.Errorf("%s: %v", name, s.certificate)
}

// weightsOfDuals compares W with Xᵀ A. Entries of A are at most r in size, so an entry of W is never beyond r sum_i
// |x_ij|, and each of the given number of additions rounds by no more than half a unit of that.
func weightsOfDuals[T vec.Float](t *testing.T, name string, s *linearSolver[T], x vec.Matrix[T], additions float64) {
	t.Helper()
	w := s.Weights()
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

// TestBlockSize: which examples share a product is a question of the sizes.
func TestBlockSize(t *testing.T) {
	for _, c := range []struct {
		d, m         int
		fused        bool
		size, passes int
	}{
		{64, 32, true, 1, 1}, {65, 32, true, 8, 1}, // 2048 numbers in W, and more
		{784, 10, true, 8, 1}, {784, 47, true, 8, 1}, {255, 1000, true, 8, 1},
		{784, 48, true, 64, 4}, {256, 48, true, 64, 4}, {784, 101, true, 64, 4},
		{784, 48, false, 64, 3}, {256, 1000, false, 64, 3},
	} {
		x := &dense[float32]{n: 200, d: c.d}
		if size, passes := blockSize[float32](x, c.d, c.m, c.fused); size != c.size || passes != c.passes {
			t.Errorf("%+v: %d examples, %d passes", c, size, passes)
		}
	}
	x, y := blobs[float32](rand.New(rand.NewPCG(1, 1)), 100, 256, 48)
	for i := range x.Data {
		if i%8 > 0 {
			x.Data[i] = 0
		}
	}
	for _, m := range []int{48, 47} {
		for i := range y {
			y[i] = i % m
		}
		for k, want := range map[int]struct{ size, passes int }{1: {64, 4}, 2: {64, 3}} {
			if m < 48 {
				want.size, want.passes = 8, 1
			}
			full, _ := blobs[float32](rand.New(rand.NewPCG(2, 2)), 100, 256, m)
			s := training(t, hinge(t, design.Matrix[float32](full), y, m, k, .1),
				Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}})
			if s.size != want.size || s.passes != want.passes || s.weights.byClass != (m == 48) {
				t.Errorf("%d classes, k = %d: blocks of %d, %d passes, by classes %t", m, k, s.size, s.passes,
					s.weights.byClass)
			}
			s = training(t, hinge(t, design.Matrix[float32](x), y, m, k, .1),
				Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}})
			if s.size != 1 || s.weights.byClass {
				t.Errorf("%d classes, zeros: blocks of %d, by classes %t", m, s.size, s.weights.byClass)
			}
		}
	}
}

// dense is a shape.
type dense[T vec.Float] struct {
	design.Matrix[T]
	n, d int
}

func (x *dense[T]) Dims() (n, d int) { return x.n, x.d }
