package toprank

import (
	"context"
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/toprank/internal/pairs"
	"github.com/dualgap/dualgap/vec"
)

// training is the training on a kernel: pair steps of the dual (7) or (12) on the active examples, in levels. See
// packages pairs and active.
type training[T vec.Float] struct {
	base[T]
	k *kernel.Matrix[T] // where there is x, the linear kernel of its examples

	solver      *pairs.Solver[T] // on the active examples; nil before the first epoch
	certifyNext bool             // the last look found almost nothing missing
}

func newTraining[T vec.Float](o *objective, x design.Matrix[T], k *kernel.Matrix[T]) (*training[T], error) {
	wide, err := k.Float64()
	if err != nil {
		return nil, err
	}
	s := &training[T]{base: newBase[T](o, x), k: k}
	s.wide, s.duals = wide, s.allDuals
	s.levels, err = o.levels(active.Pairs, k.Len() >= active.Pairs.From && k.Kernel() != nil)
	return s, err
}

// Epoch is a level, or, at the last one, as many pair steps as there are active examples. Where the passes end within a
// level the epoch is not over.
func (s *training[T]) Epoch(ctx context.Context) (int, bool) {
	s.fresh = false
	for ctx.Err() == nil && s.visits/len(s.f) < s.Epochs {
		last, release := s.levels.Last(), train.Hold(ctx)
		s.train()
		release()
		if last {
			s.epoch++
			return s.epoch, true
		}
	}
	return s.epoch, false
}

// train takes pair steps of the dual (7) or (12). Where they reach the goal of the level it looks at the other
// examples, or begins the next level.
func (s *training[T]) train() {
	if s.solver == nil {
		s.activate(s.PositivesFirst(slices.Clone(s.levels.At())))
		s.begin()
	}
	s.visits += s.solver.Train(max(len(s.levels.At()), 500))
	switch {
	case !(s.solver.Certificate.RelativeGap() <= s.levels.Goal):
		if s.estimate, s.partial = s.solver.Certificate, s.others(); s.partial {
			s.withhold()
		}
	case s.levels.Last():
		s.look()
	default:
		s.advance()
	}
}

// start begins with the given dual variables and returns their certificate.
func (s *training[T]) start(alpha, beta []float64) (solvers.Certificate, error) {
	whole := s.levels.Last()
	s.levels.Finish()
	certificate, err := s.certify(alpha, beta)
	if err != nil || certificate.RelativeGap() <= s.Tol {
		return certificate, err
	}
	rows := s.levels.Level()
	if whole {
		rows = s.PositivesFirst(slices.Clone(rows))
	} else {
		_, top := s.ends()
		rows = s.candidates(rows, alpha, beta, s.t, top)
	}
	s.activate(rows)
	s.resume(alpha, beta, s.Scalar(alpha, beta))
	return certificate, nil
}

// begin starts from 0.
func (s *training[T]) begin() { s.solver.Begin(s.part().First(s.levels.At())) }

// resume sets the variables of the active examples, whose scores are known.
func (s *training[T]) resume(alpha, beta []float64, scalar float64) {
	if vec.Sum(alpha) == 0 {
		s.begin()
		return
	}
	at := s.levels.At()
	start := func(side, p int) float64 { return [2][]float64{alpha, beta}[side][at[p]] }
	s.solver.Set(start, family.Pick(s.f, at), scalar)
}

// allDuals returns the dual variables of all examples.
func (s *training[T]) allDuals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	if s.solver != nil {
		s.solver.Duals(func(side, p int, v float64) { [2][]float64{alpha, beta}[side][s.levels.At()[p]] = v })
	}
	return alpha, beta
}

// Certify is base's, with the estimate.
func (s *training[T]) Certify() (c solvers.Certificate, err error) {
	s.estimate, err = s.base.Certify()
	return s.estimate, err
}

// Save writes which examples are active and where the training on them is.
func (s *training[T]) Save(w *container.Writer) {
	s.levels.Save(w)
	begun := s.solver != nil
	s.fields(w.Fields, &begun)
	if begun {
		s.solver.Save(w)
	}
}

func (s *training[T]) Load(r *container.Reader) {
	begun := false
	s.levels.Load(r)
	s.fields(r.Fields, &begun)
	s.checkEpoch(r)
	if r.Err() == nil && begun {
		goal := s.levels.Goal
		s.activate(s.levels.At())
		s.levels.Goal = goal
		s.solver.Load(r)
	}
}

// fields are what a state holds besides the levels and the solver: do writes or reads them.
func (s *training[T]) fields(do func(tag string, of ...any), begun *bool) {
	do("rank", &s.epoch, &s.visits, begun, &s.certifyNext)
	do("esti", &s.estimate.Primal, &s.estimate.Dual, &s.levels.Goal)
}
