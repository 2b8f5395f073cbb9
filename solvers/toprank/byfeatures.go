package toprank

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// mostFeatures is up to how many features a step of package interior, which costs O(n d²), is the faster way.
const mostFeatures = 2048

// byFeatures is the training on features: an epoch is a step of package interior on the dual (7) or (12).
type byFeatures[T vec.Float] struct {
	base[T]
	rows   [][]int // of each row of the system its examples: one, or those whose mean it is
	system *interior.Features
	solver *interior.Solver
	stuck  bool // the last step was none
}

func newByFeatures[T vec.Float](o *objective, x design.Matrix[T]) (*byFeatures[T], error) {
	norms := make([]T, len(o.Positive))
	x.SquaredNorms(norms)
	if err := finite(norms); err != nil {
		return nil, err
	}
	s := byRows[T](o, x)
	_, d := x.Dims()
	var err error
	if s.levels, err = o.newLevels(d); err != nil {
		return nil, err
	}
	if s.levels == nil {
		return s, s.begin(wider(x), s.rows)
	}
	if err = s.activate(s.levels.At()); err != nil { // one class alone
		err = s.enter(nil)
	}
	return s, err
}

// byRows returns the training before it begins, on all examples.
func byRows[T vec.Float](o *objective, x design.Matrix[T]) *byFeatures[T] {
	s := &byFeatures[T]{base: newBase[T](o, x), rows: o.Merged()}
	s.duals = s.allDuals
	return s
}

// begin makes the solver of the rows. Each is a row of x or the mean of some rows, which of tells.
func (s *byFeatures[T]) begin(x design.Matrix[float64], of [][]int) (err error) {
	first := make([]int, len(s.rows))
	for q, of := range s.rows {
		first[q] = of[0]
	}
	if s.Within() {
		x = newCentred(x, of, family.Pick(s.QueryOf(), first), len(s.Queries))
	}
	if s.system, err = interior.NewFeatures(x, s.Workers); err != nil {
		return err
	}
	p := s.part().Sides(first)
	p.K = s.system
	s.solver, err = interior.New(p)
	return err
}

// finite returns an error that names the first squared norm that is not.
func finite[T vec.Float](norms []T) error {
	for i, v := range norms {
		if v-v != 0 {
			return fmt.Errorf("the squared norm of row %d is %v: want finite numbers, and not too large ones", i, v)
		}
	}
	return nil
}

func (s *byFeatures[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	defer train.Hold(ctx)()
	s.epoch++
	s.fresh = false
	if s.levels == nil {
		s.visits += len(s.f)
	} else {
		s.visits += len(s.rows)
	}
	if s.stuck = s.solver.Step() != nil; s.stuck && s.others() {
		s.stuck = s.enter(s.levels.Level()) != nil
		return s.epoch, true
	}
	if s.stuck {
		s.estimate.Primal = math.NaN() // rounding allows no more: a certificate is due
		return s.epoch, true
	}
	alpha, beta := s.duals()
	c, f, norm := make([]float64, len(s.rows)), make([]float64, len(s.rows)), 0.0
	for q, of := range s.rows {
		for _, i := range of {
			c[q] += alpha[i] - beta[i]
		}
	}
	s.system.Multiply(f, c)
	for q, of := range s.rows {
		norm += c[q] * f[q]
		for _, i := range of { // their mean is what the threshold takes
			s.f[i] = f[q]
		}
	}
	if s.levels != nil {
		s.stuck = s.look(alpha, beta, norm) != nil
		return s.epoch, true
	}
	s.estimate.Primal, _ = s.Primal(s.f, norm)
	s.estimate.Dual = s.Dual(alpha, beta, norm)
	return s.epoch, true
}

// allDuals returns the dual variables, in the domain; 0 before the first step.
func (s *byFeatures[T]) allDuals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	if s.epoch == 0 {
		return alpha, beta
	}
	plus, minus := s.solver.V()
	for _, of := range s.rows {
		if s.Positive[of[0]] {
			alpha[of[0]], plus = plus[0], plus[1:]
		}
		if s.Ranked(of[0]) {
			for _, i := range of {
				beta[i] = minus[0] / float64(len(of))
			}
			minus = minus[1:]
		}
	}
	s.part().Feasible(alpha, beta)
	return alpha, beta
}

// Reconsider reports whether there are steps: the one that rounding allows none is the last.
func (s *byFeatures[T]) Reconsider() bool { return !s.stuck }

func (s *byFeatures[T]) Save(w *container.Writer) {
	s.fields(w.Fields)
	if s.levels != nil {
		s.levels.Save(w)
		s.levelFields(w.Fields)
	}
	s.solver.Save(w)
}

func (s *byFeatures[T]) Load(r *container.Reader) {
	s.fields(r.Fields)
	s.checkEpoch(r)
	s.stuck = math.IsNaN(s.estimate.Primal) // where the certificate that is due then has not been judged
	s.visits = s.epoch * len(s.f)
	if s.levels != nil {
		s.loadLevel(r)
	}
	if r.Err() == nil {
		s.solver.Load(r)
	}
}

// fields are what a state holds besides levels and the solver: do writes or reads them.
func (s *byFeatures[T]) fields(do func(tag string, of ...any)) {
	do("rank", &s.epoch)
	do("esti", &s.estimate.Primal, &s.estimate.Dual)
}
