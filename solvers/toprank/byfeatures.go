package toprank

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/vec"
)

// mostFeatures is up to how many features a step of package interior, which costs O(n d²), is the faster way.
const mostFeatures = 2048

// byFeatures is the training on features: an epoch is a step of package interior.
type byFeatures[T vec.Float] struct {
	base[T]
	system *interior.Features
	solver *interior.Solver
}

func newByFeatures[T vec.Float](o *objective, x solvers.Features[T]) (*byFeatures[T], error) {
	norms := make([]T, len(o.Positive))
	x.SquaredNorms(norms)
	for i, v := range norms {
		if v-v != 0 {
			return nil, fmt.Errorf("the squared norm of row %d is %v: need finite numbers, and not too large ones", i, v)
		}
	}
	system, err := interior.NewFeatures(x, o.config.Workers)
	if err != nil {
		return nil, err
	}
	p := o.Sides(o.Rows())
	p.K = system
	solver, err := interior.New(p)
	return &byFeatures[T]{base: base[T]{objective: o, x: x, f: make([]float64, len(norms))}, system: system, solver: solver}, err
}

func (s *byFeatures[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	s.epoch++
	if s.solver.Step() != nil {
		s.estimate.Primal = math.NaN() // rounding allows no more: calls for a certificate
		return s.epoch, true
	}
	alpha, beta := s.duals()
	c, norm := make([]float64, len(alpha)), 0.0
	for i := range c {
		c[i] = alpha[i] - beta[i]
	}
	s.system.Multiply(s.f, c)
	for i, v := range c {
		norm += v * s.f[i]
	}
	s.estimate.Primal, _ = s.Primal(s.f, norm)
	s.estimate.Dual = s.Dual(alpha, beta, norm)
	return s.epoch, true
}

// duals returns the dual variables, in the domain; 0 before the first step.
func (s *byFeatures[T]) duals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	if s.epoch == 0 {
		return alpha, beta
	}
	plus, minus := s.solver.V()
	for i, p := range s.Positive {
		if p {
			alpha[i], plus = plus[0], plus[1:]
		}
		if s.Ranked(i) {
			beta[i], minus = minus[0], minus[1:]
		}
	}
	s.Feasible(alpha, beta)
	return alpha, beta
}

func (s *byFeatures[T]) Visits() (visits, n int) { return s.epoch * len(s.f), len(s.f) }

func (s *byFeatures[T]) Certify() (c solvers.Certificate, err error) {
	s.alpha, s.beta = s.duals()
	if c, err = s.byWeights(); err != nil {
		err = fmt.Errorf("after %d epochs %w", s.epoch, err)
	}
	return c, err
}

// start has a certificate of the given dual variables; if that is not good enough, training begins afresh.
func (s *byFeatures[T]) start(alpha, beta []float64) (solvers.Certificate, error) {
	s.Feasible(alpha, beta)
	s.alpha, s.beta = alpha, beta
	return s.byWeights()
}

func (s *byFeatures[T]) Reconsider() {}

func (s *byFeatures[T]) Save(w *container.Writer) {
	w.Ints("rank", s.epoch)
	container.Floats(w, "esti", []float64{s.estimate.Primal, s.estimate.Dual})
	s.solver.Save(w)
}

func (s *byFeatures[T]) Load(r *container.Reader) {
	epoch, estimate := r.Ints("rank", 1), container.ReadFloats[float64](r, "esti", 2)
	if r.Err() != nil {
		return
	}
	if s.epoch = epoch[0]; s.epoch < 0 || s.epoch > math.MaxInt32/2 {
		r.Corrupt("epoch %d", s.epoch)
		return
	}
	s.estimate.Primal, s.estimate.Dual = estimate[0], estimate[1]
	s.solver.Load(r)
}
