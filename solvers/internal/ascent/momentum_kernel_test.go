package ascent

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// slowKernels are problems on kernels that take many passes.
func slowKernels[T vec.Float](t testing.TB) map[string]func() *kernelSolver[T] {
	x, y := blobs[T](rand.New(rand.NewPCG(81, 82)), 220, 6, 5)
	f := design.Matrix[T](x)
	on := func(p Problem[T], room int64) Problem[T] {
		k, err := kernel.New(f, kernel.Gaussian{Gamma: .02}, room)
		if err != nil {
			t.Fatal(err)
		}
		p.X, p.Kernel = nil, k
		return p
	}
	trainings := map[string]func() *kernelSolver[T]{}
	add := func(name string, p Problem[T], o Options) {
		o.Tol, o.Workers = 1e-12, max(o.Workers, 1)
		trainings[name] = func() *kernelSolver[T] {
			s, err := newKernelSolver(p, o)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	const all = 1 << 22
	top := hinge(t, f, y, 5, 2, 1e-4)
	coupled := labelled(t, f, 9, 20, false)
	coupled.Lambda = 1e-4
	add("hinge", on(top, all), Options{})
	add("hinge, blocks of 16, two workers", on(top, all), Options{Options: solvers.Options{Workers: 2}, BlockSize: 16})
	add("hinge by levels", on(top, all), Options{BlockSize: 16, ActiveFrom: 40})
	add("hinge, few rows", on(top, 1<<14), Options{BlockSize: 16, ActiveFrom: 40})
	add("entropy", on(problem(t, f, y, 5, loss.Loss[T](loss.TopKEntropy[T]{K: 1}),
		loss.Loss[float64](loss.TopKEntropy[float64]{K: 1}), 1e-5), all), Options{})
	add("coupled", on(coupled, all), Options{BlockSize: 16})
	add("factor", on(factored(t, f, quarters(rand.New(rand.NewPCG(83, 84)), 3, 7), .1, false, false), all),
		Options{BlockSize: 16})
	return trainings
}

// TestMomentumKernel: the dual value never falls, many extrapolations stand, A stays in its domain, and F stays K A R.
func TestMomentumKernel(t *testing.T) {
	prove.Both(t, testMomentumKernel[float32], testMomentumKernel[float64])
}

func testMomentumKernel[T vec.Float](t *testing.T) {
	const epochs = 24 // between certificates, which begin momentum anew
	for name, begin := range slowKernels[T](t) {
		s := begin()
		last, stood := math.Inf(-1), 0
		for range 8 {
			for range epochs {
				s.Epoch(context.Background())
				if s.momentum.began && s.momentum.theta < .9 {
					stood++
				}
			}
			before, at := s.f, slices.Clone(s.at)
			before.Data = slices.Clone(before.Data)
			c, err := s.Certify()
			if errors.Is(err, train.ErrRounding) { // the gap is 1e-12 of P and less
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if slack := 64 * prove.Unit[T]() * math.Abs(c.Primal); c.Dual < last-slack {
				t.Errorf("%s: the dual value falls from %v to %v", name, last, c.Dual)
			}
			last = c.Dual
			// In an epoch each number of F has n additions in each of 4 rounds at most. K is at most 1, and R a sum of
			// 20 products of 1. Momentum takes roundings along: they grow with the square of the epochs at most.
			terms := float64(epochs*epochs*4*s.n) * prove.Unit[T]()
			bound := terms * (largestOf(s.f.Data) + largestOf(s.a.Data)*20*float64(s.m))
			for p := range at {
				for c, v := range before.Row(p)[:s.cols] {
					if off := math.Abs(float64(v - s.f.Row(p)[c])); off > bound {
						t.Fatalf("%s: score %d of example %d is off by %v, at most %v", name, c, at[p], off, bound)
					}
				}
			}
		}
		if stood < 40 {
			t.Errorf("%s: momentum in %d of %d epochs", name, stood, 8*epochs)
		}
	}
}

// TestMomentumKernelPays: with momentum a hard problem takes less than two thirds of the passes.
func TestMomentumKernelPays(t *testing.T) {
	passes := func(name string, momentum bool) int {
		s := slowKernels[float64](t)[name]()
		if !momentum {
			s.momentum.start = math.Inf(1)
		}
		for range 10_000 {
			s.Epoch(context.Background())
			if s.epoch%20 == 0 && s.Estimate().RelativeGap() <= 1e-6 {
				break
			}
		}
		return s.visits
	}
	for _, name := range []string{"hinge", "coupled"} {
		if with, without := passes(name, true), passes(name, false); 3*with > 2*without {
			t.Errorf("%s: %d visits with momentum, %d without", name, with, without)
		}
	}
}

// TestStateOfMomentumKernel is TestStateOfMomentum on kernels.
func TestStateOfMomentumKernel(t *testing.T) {
	prove.Both(t, testStateOfMomentumKernel[float32], testStateOfMomentumKernel[float64])
}

func testStateOfMomentumKernel[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(85, 86))
	for name, begin := range slowKernels[T](t) {
		want, got, stops, inFlight := begin(), begin(), 0, 0
		for epoch := 1; epoch <= 60; epoch++ {
			want.Epoch(context.Background())
			for {
				_, whole := got.Epoch(soon(1 + rng.IntN(12)))
				if !whole || rng.IntN(3) == 0 {
					if got.momentum.theta < 1 {
						inFlight++
					}
					got = written(t, got, begin())
					stops++
				}
				if whole {
					break
				}
			}
			if !slices.Equal(want.a.Data, got.a.Data) || !slices.Equal(want.f.Data, got.f.Data) ||
				want.visits != got.visits || want.momentum.theta != got.momentum.theta {
				t.Fatalf("%s, epoch %d, after %d stops: other steps", name, epoch, stops)
			}
			if epoch%25 == 0 {
				certify(t, Solver[T](want))
				certify(t, Solver[T](got))
				want.Reconsider()
				got.Reconsider()
			}
		}
		if stops < 10 || inFlight < 5 {
			t.Errorf("%s: %d stops, %d of them with momentum", name, stops, inFlight)
		}
	}
}

// TestMomentumKernelAllocates nothing once it has begun.
func TestMomentumKernelAllocates(t *testing.T) {
	for _, name := range []string{"hinge", "coupled", "factor"} {
		s, ctx := slowKernels[float32](t)[name](), context.Background()
		for range 40 {
			s.Epoch(ctx)
		}
		if !s.momentum.began {
			t.Fatalf("%s: no momentum", name)
		}
		if allocs := prove.Allocs(20, func() { s.extrapolate(ctx); s.visits += s.n }); allocs > 0 {
			t.Errorf("%s: %v allocations in an extrapolation", name, allocs)
		}
	}
}
