package ascent

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// slow are problems that take many passes, with the options that train them in one way or another.
func slow[T vec.Float](t testing.TB) map[string]func() *linearSolver[T] {
	rng := rand.New(rand.NewPCG(71, 72))
	x, y := blobs[T](rng, 300, 12, 5)
	f := design.Matrix[T](x)
	top := hinge(t, f, y, 5, 2, 1e-5)
	entropy := problem(t, f, y, 5, loss.Loss[T](loss.TopKEntropy[T]{K: 1}),
		loss.Loss[float64](loss.TopKEntropy[float64]{K: 1}), 1e-6)
	wide := squared[T](t, 200, 30, 12)
	coupled := labelled(t, f, 9, 20, false)
	coupled.Lambda = 1e-4
	trainings := map[string]func() *linearSolver[T]{}
	add := func(name string, p Problem[T], o Options) {
		o.Tol = 1e-12
		trainings[name] = func() *linearSolver[T] { return training(t, p, o) }
	}
	for name, size := range map[string]int{"one by one": 1, "blocks of 8": 8, "blocks of 64": 64} {
		add("hinge, "+name, top, Options{Options: solvers.Options{Workers: 1}, BlockSize: size})
		add("factor, "+name, factored(t, f, quarters(rng, 3, 7), .1, false, false),
			Options{Options: solvers.Options{Workers: 1}, BlockSize: size})
		add("coupled, "+name, coupled, Options{Options: solvers.Options{Workers: 1}, BlockSize: size})
	}
	add("entropy", entropy, Options{Options: solvers.Options{Workers: 1}})
	add("sparse", hinge(t, design.Matrix[T](sparse(t, x)), y, 5, 1, 1e-5),
		Options{Options: solvers.Options{Workers: 1}})
	add("two workers", top, Options{Options: solvers.Options{Workers: 2}, Round: 8, BlockSize: 8})
	add("three workers", top, Options{Options: solvers.Options{Workers: 3}, Round: 8, BlockSize: 1})
	add("two workers, by classes", top, Options{Options: solvers.Options{Workers: 2}, Round: 16, BlockSize: 64})
	add("coupled, two workers", coupled, Options{Options: solvers.Options{Workers: 2}, Round: 8, BlockSize: 1})
	add("coupled, three workers, by labels", coupled,
		Options{Options: solvers.Options{Workers: 3}, Round: 16, BlockSize: 64})
	wide.Lambda = 1e-4
	add("squared hinge, two workers", wide, Options{Options: solvers.Options{Workers: 2}, Round: 8})
	add("squared hinge", wide, Options{Options: solvers.Options{Workers: 1}})
	return trainings
}

// TestMomentum: the dual value never falls, many extrapolations stand, A stays in its domain (Certify would make it
// smaller), and W stays Xᵀ A.
func TestMomentum(t *testing.T) { prove.Both(t, testMomentum[float32], testMomentum[float64]) }

func testMomentum[T vec.Float](t *testing.T) {
	for name, begin := range slow[T](t) {
		s := begin()
		last, stood, l := math.Inf(-1), 0, &s.momentum
		norms := make([]T, s.n)
		s.p.X.SquaredNorms(norms)
		// Q has numbers of 1 at most, and R is a sum of 20 products of such.
		longest := math.Sqrt(largestOf(norms)) * float64(1+s.p.Outputs)
		if s.p.coupled() {
			longest *= 20
		}
		for range 20 {
			for range 12 {
				s.Epoch(context.Background())
				if l.began && l.theta < 0.9 {
					stood++
				}
			}
			before := s.weights.Matrix
			before.Data = slices.Clone(before.Data)
			c := certify(t, Solver[T](s))
			if slack := 64 * prove.Unit[T]() * math.Abs(c.Primal); c.Dual < last-slack {
				t.Errorf("%s: the dual value falls from %v to %v", name, last, c.Dual)
			}
			last = c.Dual
			// In an epoch a number of W has n additions at most, and dual variables are rounded as often: each by a
			// unit of the largest product, or of W itself. Momentum takes what it leaves along until W is computed
			// anew.
			bound := float64(l.rebuildAfter*l.rebuildAfter*s.n) * prove.Unit[T]() *
				(largestOf(s.weights.Data) + largestOf(s.a.Data)*longest)
			for j, v := range before.Data {
				if off := math.Abs(float64(v - s.weights.Data[j])); off > bound {
					t.Fatalf("%s: number %d of W is off by %v, at most %v", name, j, off, bound)
				}
			}
		}
		if stood < 60 {
			t.Errorf("%s: momentum in %d of 240 epochs", name, stood)
		}
	}
}

func largestOf[T vec.Float](x []T) float64 {
	return math.Max(float64(vec.Max(x)), -float64(vec.Min(x)))
}

// TestCoupledForm: the quadratic term that momentum computes from W is the certificate's, from A; and there is no
// momentum where R is singular.
func TestCoupledForm(t *testing.T) { prove.Both(t, testCoupledForm[float32], testCoupledForm[float64]) }

func testCoupledForm[T vec.Float](t *testing.T) {
	for _, name := range []string{"coupled, one by one", "coupled, blocks of 8", "coupled, blocks of 64"} {
		s := slow[T](t)[name]()
		for range 40 {
			s.Epoch(context.Background())
		}
		c := s.momentum.coupling
		if c == nil {
			t.Fatalf("%s: no momentum", name)
		}
		certify(t, Solver[T](s))
		// W is rounded once: |W|² moves by twice that, and <R^-1, Wᵀ W> by as much times the condition of R at most,
		// |R| |R^-1|.
		condition := vec.Norm(s.p.Coupling.Data) * vec.Norm(c.inverse.Data)
		bound := 4 * prove.Unit[T]() * float64(s.m) * condition * s.quadratic
		if off := math.Abs(s.form() - s.quadratic); off > bound {
			t.Errorf("%s: %v, want %v within %v", name, s.form(), s.quadratic, bound)
		}
	}
	x, _ := blobs[T](rand.New(rand.NewPCG(75, 76)), 60, 5, 3)
	s := training(t, labelled(t, design.Matrix[T](x), 9, 5, false),
		Options{Options: solvers.Options{Tol: 1e-12, Workers: 1}})
	for range 100 {
		s.Epoch(context.Background())
	}
	if s.momentum.began || s.momentum.coupling != nil {
		t.Error("momentum with an R of rank 5 for 9 labels")
	}
}

// TestMomentumPays: with momentum a hard problem takes less than half of the passes.
func TestMomentumPays(t *testing.T) {
	passes := func(name string, momentum bool) int {
		s := slow[float64](t)[name]()
		if !momentum {
			s.momentum.start = math.Inf(1)
		}
		for range 100_000 {
			s.Epoch(context.Background())
			if s.epoch%10 == 0 && certify(t, Solver[float64](s)).RelativeGap() <= 1e-5 {
				break
			}
		}
		return s.visits
	}
	for _, name := range []string{"hinge, one by one", "coupled, one by one", "coupled, blocks of 64"} {
		if with, without := passes(name, true), passes(name, false); 2*with > without {
			t.Errorf("%s: %d visits with momentum, %d without", name, with, without)
		}
	}
}

// TestStateOfMomentum: trainings that are stopped anywhere, and go on in another process, take the steps of those that
// never stop.
func TestStateOfMomentum(t *testing.T) {
	prove.Both(t, testStateOfMomentum[float32], testStateOfMomentum[float64])
}

func testStateOfMomentum[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 74))
	for name, begin := range slow[T](t) {
		want, got, stops := begin(), begin(), 0
		for epoch := 1; epoch <= 60; epoch++ {
			want.Epoch(context.Background())
			for {
				_, whole := got.Epoch(soon(1 + rng.IntN(60)))
				if !whole || rng.IntN(3) == 0 {
					got = written(t, got, begin())
					stops++
				}
				if whole {
					break
				}
			}
			if !slices.Equal(want.a.Data, got.a.Data) || !slices.Equal(want.weights.Data, got.weights.Data) ||
				want.counts != got.counts || want.momentum.theta != got.momentum.theta {
				t.Fatalf("%s, epoch %d, after %d stops: %+v, want %+v", name, epoch, stops, got.counts, want.counts)
			}
			if epoch%25 == 0 {
				certify(t, Solver[T](want))
				certify(t, Solver[T](got))
				want.Reconsider()
				got.Reconsider()
			}
		}
		if stops < 5 || !want.momentum.began {
			t.Errorf("%s: %d stops, momentum %v", name, stops, want.momentum.began)
		}
	}
}

// saved is a training with a state.
type saved interface {
	Save(*container.Writer)
	Load(*container.Reader)
}

// written returns the training that goes on from the state of s.
func written[S saved](t *testing.T, s, next S) S {
	t.Helper()
	var state bytes.Buffer
	w := container.NewWriter(&state, "state", 1)
	s.Save(w)
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := container.Open(&state)
	if err != nil {
		t.Fatal(err)
	}
	next.Load(r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return next
}
