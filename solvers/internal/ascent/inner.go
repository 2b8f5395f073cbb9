package ascent

import (
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// Inner is a training on a kernel matrix that changes between epochs, inside of a method that has certificates of its
// own: Certify is not to be called. All examples are active.
type Inner[T vec.Float] struct{ *kernelSolver[T] }

// NewInner returns a training of p, whose kernel is in memory. What K is does not matter before Renew is called.
func NewInner[T vec.Float](p Problem[T], k *bundle.Mixture[T], o Options) *Inner[T] {
	p.Kernel = k.Matrix
	return &Inner[T]{newKernelTraining(p, o)}
}

// Momentum says whether epochs are extrapolated from now on: see momentum.
func (s *Inner[T]) Momentum(on bool) {
	s.momentum.start = math.Inf(1)
	if on {
		s.momentum.start = 0
	}
}

// Renew follows a change of K: it computes all scores, and then asks of each visit what a gap of tol needs. Momentum
// begins anew, since the last scores are not of this K. O(n² m).
func (s *Inner[T]) Renew(tol float64) {
	s.momentum.anew()
	s.o.Tol = tol
	h := make([]T, s.n)
	s.p.Kernel.Diagonal(h)
	least, _, _ := family.Limits[T]()
	for i := range s.ex {
		s.ex[i].h = max(float64(h[i]), float64(T(least)))
	}
	s.p.Kernel.Multiply(s.f.Slice(0, s.n, 0, s.m), s.a, s.o.Workers)
	s.Estimate()
}

// Set sets the dual variables of example i, which are feasible up to rounding. To be followed by Renew.
func (s *Inner[T]) Set(i int, a []T) {
	ex := &s.ex[i]
	if ex.r == 0 {
		return
	}
	copy(s.duals(i), a)
	s.work.Example = i
	s.p.Loss.Repair(s.duals(i), s.p.Labels.Of(i), ex.r, &s.work)
	ex.zero, s.changed[i] = isZero(s.duals(i)), 1
	ex.term = s.p.Loss.Dual(s.duals(i), s.p.Labels.Of(i), ex.r, &s.work)
}

// Scores returns the scores of example i at the duals as they are.
func (s *Inner[T]) Scores(i int) []T { return s.f.Row(i)[:s.m] }

// Terms returns the sum of the dual terms.
func (s *Inner[T]) Terms() (sum float64) {
	for i := range s.ex {
		sum += s.ex[i].term
	}
	return sum
}

// Resume follows Load: it asks of each visit what Renew asked.
func (s *Inner[T]) Resume(tol float64) { s.o.Tol = tol }
