package ascent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// squared is the problem of the squared hinge on sparse features, whose outputs do not depend on each other.
func squared[T vec.Float](t testing.TB, n, d, m int) Problem[T] {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(m)))
	x, y := blobs[T](rng, n, d, m)
	for i := range x.Data {
		if rng.IntN(4) > 0 {
			x.Data[i] = 0
		}
	}
	p := problem(t, design.Matrix[T](sparse(t, x)), y, m, loss.Loss[T](loss.SquaredHinge[T]{}),
		loss.Loss[float64](loss.SquaredHinge[float64]{}), .01)
	sets := make([][]int, n)
	for i := range sets {
		sets[i] = slices.Sorted(slices.Values(rng.Perm(m)[:rng.IntN(3)]))
	}
	p.Labels = family.Labels{Sets: sets}
	return p
}

// TestGroups: groups of outputs come to the optimum that all of them together come to, with the same bits for any
// number of workers, and start again from their dual variables.
func TestGroups(t *testing.T) { prove.Both(t, testGroups[float32], testGroups[float64]) }

func testGroups[T vec.Float](t *testing.T) {
	tol := 1e-4
	if !prove.IsF32[T]() {
		tol = 1e-8
	}
	run := func(s Solver[T]) solvers.Outcome {
		t.Helper()
		o, err := train.Run(context.Background(), s, train.Options[T]{Options: solvers.Options{Tol: tol,
			Epochs: 10000}}, &train.Clock[T]{})
		if err != nil || o.Status != solvers.Converged {
			t.Fatal(o, err)
		}
		return o.Outcome
	}
	for _, m := range []int{16, 17, 32, 45} {
		for _, constant := range []T{0, 2} {
			name := fmt.Sprintf("%d outputs, constant %v", m, constant)
			p := squared[T](t, 90, 12, m)
			p.Constant = constant
			var one Solver[T]
			var end solvers.Outcome
			for workers := 1; workers <= 3; workers++ {
				s, err := New(p, Options{Options: solvers.Options{Tol: tol, Workers: workers, Seed: 3}})
				if err != nil {
					t.Fatal(err)
				}
				if g, ok := s.(*groupSolver[T]); ok != (m > 16) || ok && len(g.groups) != (m+15)/16 {
					t.Fatalf("%s: %T", name, s)
				}
				o := run(s)
				if one == nil || m == 16 { // rounds of several workers differ
					one, end = s, o
					continue
				}
				if o != end || !slices.Equal(s.Duals().Data, one.Duals().Data) ||
					!slices.Equal(weightsOf(t, s).Data, weightsOf(t, one).Data) {
					t.Errorf("%s: %v with %d workers, %v with one", name, o, workers, end)
				}
			}
			if d, w := p.X, weightsOf(t, one); w.Cols != m || one.Duals().Rows != 90 || one.Duals().Cols != m {
				t.Fatalf("%s: W is %d-by-%d, %v", name, w.Rows, w.Cols, d)
			}
			together, err := newLinearSolver(p, Options{Options: solvers.Options{Tol: tol, Workers: 1}})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := run(together).Certificate, end.Certificate; a.Dual > b.Primal || b.Dual > a.Primal {
				t.Errorf("%s: %v, in groups %v", name, a, b)
			}
			// The certificate is one of the duals: the other solver finds it too.
			if again, err := together.Start(one.Duals()); err != nil ||
				math.Abs(again.Primal-end.Certificate.Primal) > 1e-12*again.Primal ||
				math.Abs(again.Dual-end.Certificate.Dual) > 1e-12*again.Primal {
				t.Errorf("%s: %v in groups, all together %v, %v", name, end.Certificate, again, err)
			}
			s, err := New(p, Options{Options: solvers.Options{Tol: tol, Workers: 2}})
			if err != nil {
				t.Fatal(err)
			}
			if again, err := s.Start(one.Duals()); err != nil || again.RelativeGap() > tol {
				t.Errorf("%s: from its own dual variables %v, %v", name, again, err)
			}
		}
	}
}

// TestGroupsCanceled: an epoch cut short goes on where each group has stopped, and then has visited every example once.
func TestGroupsCanceled(t *testing.T) {
	p := squared[float64](t, 90, 12, 40)
	for _, workers := range []int{1, 2} {
		s, err := New(p, Options{Options: solvers.Options{Tol: 1e-6, Workers: workers}})
		if err != nil {
			t.Fatal(err)
		}
		if _, whole := s.Epoch(soon(70)); whole {
			t.Fatal("a whole epoch")
		}
		if visits, _ := s.Visits(); visits >= 90 {
			t.Errorf("%d visits in an epoch cut short", visits)
		}
		if epoch, whole := s.Epoch(context.Background()); epoch != 1 || !whole {
			t.Errorf("epoch %d, whole %t", epoch, whole)
		}
		if visits, n := s.Visits(); visits != 90 || n != 90 {
			t.Errorf("%d visits of %d examples in an epoch", visits, n)
		}
	}
}

// TestDenseGroups: few dense features and many outputs go in groups, as large as they can be; the bits are the same for
// any number of workers, and the certificate is of all outputs together.
func TestDenseGroups(t *testing.T) { prove.Both(t, testDenseGroups[float32], testDenseGroups[float64]) }

func testDenseGroups[T vec.Float](t *testing.T) {
	for m, groups := range map[int]int{32: 0, 33: 2, 64: 2, 129: 3} {
		p := squared[T](t, 80, 12, m)
		n, d := p.X.Dims()
		x := vec.NewMatrix[T](n, d)
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		p.X.Gather(x, all)
		for i := range x.Data {
			x.Data[i] += .25 // no zeros
		}
		p.X = &dataset.Dense[T]{Matrix: x}
		var one Solver[T]
		for workers := 1; workers <= 3; workers++ {
			s, err := New(p, Options{Options: solvers.Options{Tol: 1e-3, Workers: workers, Seed: 3}})
			if err != nil {
				t.Fatal(err)
			}
			if g, ok := s.(*groupSolver[T]); ok != (groups > 0) || ok && len(g.groups) != groups {
				t.Fatalf("%d outputs: %T", m, s)
			}
			for range 30 {
				s.Epoch(context.Background())
			}
			certificate, err := s.Certify()
			if err != nil {
				t.Fatal(err)
			}
			if one == nil || groups == 0 {
				one = s
			} else if !slices.Equal(s.Duals().Data, one.Duals().Data) ||
				!slices.Equal(weightsOf(t, s).Data, weightsOf(t, one).Data) {
				t.Errorf("%d outputs: other bits with %d workers", m, workers)
			}
			together, err := newLinearSolver(p, Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}})
			if err != nil {
				t.Fatal(err)
			}
			again, err := together.Start(s.Duals())
			// Training that starts may take a better multiple; the optimum lies between all four.
			if err != nil || again.Dual < certificate.Dual-1e-12*again.Primal || again.Dual > certificate.Primal ||
				certificate.Dual > again.Primal {
				t.Errorf("%d outputs: %v, all together %v, %v", m, certificate, again, err)
			}
		}
	}
}

// TestGroupsInBlocks: with large blocks, where W is held by classes, too, the weights are Xᵀ A; and as many workers
// certify as there are, up to the groups.
func TestGroupsInBlocks(t *testing.T) {
	p := squared[float64](t, 90, 12, 40)
	for _, size := range []int{1, 8, 64} {
		s, err := New(p, Options{Options: solvers.Options{Tol: 1e-6, Workers: 2, Seed: 3}, BlockSize: size})
		if err != nil {
			t.Fatal(err)
		}
		g, ok := s.(*groupSolver[float64])
		if !ok || len(g.exact) != 2 {
			t.Fatalf("%T", s)
		}
		for range 5 {
			s.Epoch(context.Background())
		}
		if _, err := s.Certify(); err != nil {
			t.Fatal(err)
		}
		w, a := weightsOf(t, s), s.Duals()
		want := vec.NewMatrix[float64](12, 40)
		p.X.Accumulate(want, a, nil)
		for j := range 12 {
			for c, v := range want.Row(j) {
				if math.Abs(w.Row(j)[c]-v) > 1e-12*(1+vec.AbsSum(a.Data)) {
					t.Fatalf("blocks of %d: weight %v of feature %d for output %d, want %v", size, w.Row(j)[c], j, c, v)
				}
			}
		}
	}
}

// TestGroupVisits: sparse examples of a group are visited by one kernel, one after the other, and in blocks, if asked
// for, they are not.
func TestGroupVisits(t *testing.T) {
	for size, want := range map[int]bool{0: true, 1: true, 2: false, 8: false} {
		p := squared[float64](t, 60, 10, 12)
		p.Labels = p.Labels.Within([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 12)
		s := training(t, p, Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}, BlockSize: size})
		if (s.grouped != nil) != want {
			t.Errorf("blocks of %d: visited as a group %t, want %t", size, s.grouped != nil, want)
		}
	}
}
