package ascent

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// gaussian is the problem with a Gaussian kernel, some examples without weight.
func gaussian[T vec.Float](t testing.TB, n int, lambda float64) Problem[T] {
	t.Helper()
	x, y := blobs[T](rand.New(rand.NewPCG(61, 62)), n, 6, 5)
	k, err := kernel.New(design.Matrix[T](x), kernel.Gaussian{Gamma: .05}, 1<<22)
	if err != nil {
		t.Fatal(err)
	}
	p := hinge(t, design.Matrix[T](x), y, 5, 2, lambda)
	p.X, p.Kernel = nil, k
	for i := range p.Radius {
		if i%17 == 3 {
			p.Radius[i] = 0
		}
	}
	return p
}

func trainKernel[T vec.Float](t testing.TB, p Problem[T], o Options, start *vec.Matrix[T]) (*kernelSolver[T],
	solvers.Outcome) {
	t.Helper()
	s, err := newKernelSolver(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if start != nil {
		if _, err := s.Start(*start); err != nil {
			t.Fatal(err)
		}
	}
	end, err := train.Run(context.Background(), s, train.Options[T]{Options: solvers.Options{Tol: o.Tol,
		Epochs: 10000}}, &train.Clock[T]{})
	if err != nil {
		t.Fatal(err)
	}
	return s, end.Outcome
}

// TestActive: a training by levels ends at the optimum of one that has all examples active, with few of them active,
// and a start from the optimum is at once done.
func TestActive(t *testing.T) { prove.Both(t, testActive[float32], testActive[float64]) }

func testActive[T vec.Float](t *testing.T) {
	for _, lambda := range []float64{1e-2, 1e-3} {
		p := gaussian[T](t, 700, lambda)
		for _, workers := range []int{1, 2} {
			all, want := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-4, Workers: workers},
				BlockSize: 16}, nil)
			some, got := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-4, Workers: workers}, BlockSize: 16,
				ActiveFrom: 40}, nil)
			name := fmt.Sprintf("lambda %v, %d workers", lambda, workers)
			if all.levels != nil || some.levels == nil {
				t.Fatalf("%s: active %v and %v", name, all.levels, some.levels)
			}
			if want.Status != solvers.Converged || got.Status != solvers.Converged {
				t.Fatalf("%s: %v, by levels %v", name, want, got)
			}
			if difference := math.Abs(want.Certificate.Primal -
				got.Certificate.Primal); difference > 1e-4*want.Certificate.Primal {
				t.Errorf("%s: %v, by levels %v", name, want.Certificate, got.Certificate)
			}
			if len(some.at) > 600 {
				t.Errorf("%s: %d examples are active", name, len(some.at))
			}
			soundActive(t, name, some)

			_, again := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-3, Workers: workers}, BlockSize: 16,
				ActiveFrom: 40}, &some.a)
			if again.Status != solvers.Converged || again.Epochs > 3 {
				t.Errorf("%s: from the optimum %v", name, again)
			}
		}
	}
}

// soundActive: every example with a dual variable is active, once, and the scores of all, kept where they are, are K A.
func soundActive[T vec.Float](t *testing.T, name string, s *kernelSolver[T]) {
	t.Helper()
	for i := range s.ex {
		if p := s.levels.Place(i); p >= 0 && s.at[p] != i {
			t.Fatalf("%s: example %d is at place %d, where %d is", name, i, p, s.at[p])
		} else if p < 0 && !isZero(s.duals(i)) {
			t.Fatalf("%s: example %d is not active and has %v", name, i, s.duals(i))
		}
	}
	k, f := vec.NewMatrix[T](s.n, s.n), vec.NewMatrix[T](s.n, s.m)
	rows := make([]int, s.n)
	for i := range rows {
		rows[i] = i
	}
	s.p.Kernel.Rows(k, rows, 1)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, s.a, 0, f)
	for i := range s.n {
		sum := 0.0 // of the magnitudes of what is added up: each sum of n products rounds n times at most
		for j := range s.n {
			for _, v := range s.a.Row(j) {
				sum += math.Abs(float64(v))
			}
		}
		for c, v := range s.scoresOf(i)[:s.m] {
			if math.Abs(float64(v)-float64(f.Row(i)[c])) > 2*float64(s.n)*unit[T]()*sum {
				t.Fatalf("%s: score %v of example %d for output %d, want %v", name, v, i, c, f.Row(i)[c])
			}
		}
	}
}

// unit is the distance from 1 to the next number.
func unit[T vec.Float]() float64 { return train.Epsilon[T]() }

// TestActiveSquared: a loss of sets whose dual variables have no bound, by levels.
func TestActiveSquared(t *testing.T) {
	p := gaussian[float64](t, 500, 1e-2)
	sets := make([][]int, 500)
	for i := range sets {
		sets[i] = []int{p.Labels.One[i]}
	}
	p.Labels = family.Labels{Sets: sets}
	p.Loss, p.Exact = loss.SquaredHinge[float64]{}, loss.SquaredHinge[float64]{}
	_, want := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-4, Workers: 1}}, nil)
	some, got := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-4, Workers: 1}, ActiveFrom: 40}, nil)
	if some.levels == nil || math.Abs(want.Certificate.Primal-got.Certificate.Primal) > 1e-4*want.Certificate.Primal {
		t.Errorf("%v, by levels %v", want, got)
	}
}

// TestActiveState: a training by levels that is stopped again and again, each time going on from a file, takes the
// steps of one that never stops.
func TestActiveState(t *testing.T) {
	p := gaussian[float32](t, 700, 1e-3)
	o := Options{Options: solvers.Options{Tol: 1e-5, Workers: 1}, BlockSize: 16, ActiveFrom: 40}
	fresh := func() *kernelSolver[float32] {
		s, err := newKernelSolver(p, o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want, got := fresh(), fresh()
	sizes := map[int]bool{}
	for epoch := 1; epoch <= 60; epoch++ {
		want.Epoch(context.Background())
		sizes[len(want.at)] = true
		for whole, k := false, 1; !whole; k++ {
			if _, whole = got.Epoch(soon(1 + (epoch+k)%4)); whole && epoch%3 != 0 {
				break
			}
			var state bytes.Buffer
			w := container.NewWriter(&state, "state", 1)
			got.Save(w)
			if _, err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := container.Open(&state)
			if err != nil {
				t.Fatal(err)
			}
			got = fresh()
			if got.Load(r); r.Close() != nil {
				t.Fatal(r.Close())
			}
		}
		if epoch%20 == 0 {
			certify(t, Solver[float32](want))
			certify(t, Solver[float32](got))
			want.Reconsider()
			got.Reconsider()
		}
		if !slices.Equal(want.a.Data, got.a.Data) || !slices.Equal(want.at, got.at) ||
			!slices.Equal(want.f.Data, got.f.Data) {
			t.Fatalf("epoch %d: %d active examples, want %d, the same steps", epoch, len(got.at), len(want.at))
		}
	}
	if len(sizes) < 3 {
		t.Errorf("active sets of %v examples alone", sizes)
	}
}

// TestActiveStart: a start makes active the examples with a loss or a dual variable, and none that has neither.
func TestActiveStart(t *testing.T) {
	p := gaussian[float64](t, 300, 1e-2)
	o := Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}, BlockSize: 16, ActiveFrom: 40}
	ended, _ := trainKernel(t, p, o, nil)
	s, err := newKernelSolver(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Start(ended.a); err != nil {
		t.Fatal(err)
	}
	k, f, all := vec.NewMatrix[float64](s.n, s.n), vec.NewMatrix[float64](s.n, s.m), make([]int, s.n)
	for i := range all {
		all[i] = i
	}
	p.Kernel.Rows(k, all, 1)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, ended.a, 0, f)
	idle, lossy := 0, 0
	var work loss.Workspace[float64]
	for i, r := range p.Radius {
		value := p.Loss.Primal(f.Row(i), p.Labels.Of(i), &work)
		wanted := r > 0 && (value > 0 || !isZero(ended.a.Row(i)))
		if active := s.levels.Place(i) >= 0; active != wanted {
			t.Errorf("example %d of weight %v with a loss of %v and dual variables %v: active %t, want %t", i, r,
				value, ended.a.Row(i), active, wanted)
		}
		switch {
		case r > 0 && !wanted:
			idle++
		case value > 0:
			lossy++
		}
	}
	if idle == 0 || lossy == 0 {
		t.Errorf("%d examples have neither, %d a loss", idle, lossy)
	}
}
