package toprank

import (
	"context"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/pairs"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// training is that on a kernel: pair steps on the active examples, in levels. See package active.
type training[T vec.Float] struct {
	*objective
	x    solvers.Features[T] // nil, or the examples, of which k is the linear kernel: the model is linear then
	k    *kernel.Matrix[T]
	wide *kernel.Matrix[float64] // k for certificates

	set  *active.Set
	in   *pairs.Solver[T] // on the active examples; nil before the first epoch
	goal float64          // relative gap of the active examples that ends the level, or calls for a look at the others
	near bool             // what the last look found missing was so little that a certificate is next
	f    []float64        // scores of all examples as last computed

	epoch, visits int
	estimate      solvers.Certificate
	solution[T]
}

func newTraining[T vec.Float](o *objective, x solvers.Features[T], k *kernel.Matrix[T]) (*training[T], error) {
	wide, err := k.Float64()
	if err != nil {
		return nil, err
	}
	n := k.Len()
	first := n
	if n >= activeFrom && k.Kernel() != nil {
		first = firstLevel
	}
	return &training[T]{objective: o, x: x, k: k, wide: wide, set: active.New(n, o.order(), first), f: make([]float64, n)}, nil
}

// Epoch is a level, or, at the last one, as many pair steps as there are active examples.
func (s *training[T]) Epoch(ctx context.Context) (int, bool) {
	for ctx.Err() == nil {
		if s.in == nil {
			s.activate(nil, s.positivesFirst(slices.Clone(s.set.At())))
			s.in.Begin(s.first())
		}
		s.visits += s.in.Train(max(len(s.set.At()), 500))
		last := s.set.Last()
		switch {
		case !(s.in.Certificate.RelativeGap() <= s.goal):
			s.inside()
		case last:
			s.look()
		default:
			s.advance()
		}
		if last || s.visits/len(s.f) >= s.Epochs {
			s.epoch++
			return s.epoch, true
		}
	}
	return s.epoch, false
}

// inside makes the estimate that of the active examples; where there are others it is not to call for a certificate.
func (s *training[T]) inside() {
	s.estimate = s.in.Certificate
	if len(s.set.At()) < len(s.f) {
		gap := 2 * s.Tol * max(math.Abs(s.estimate.Primal), math.Abs(s.estimate.Dual))
		s.estimate.Dual = min(s.estimate.Dual, s.estimate.Primal-gap)
	}
}

// Visits counts two examples a pair step.
func (s *training[T]) Visits() (visits, n int) { return s.visits, len(s.f) }

func (s *training[T]) Estimate() solvers.Certificate { return s.estimate }

// start begins with the given dual variables and returns their certificate.
func (s *training[T]) start(alpha, beta []float64) (solvers.Certificate, error) {
	whole := s.set.Last()
	s.set.Finish()
	certificate, err := s.certify(alpha, beta)
	if err != nil || certificate.RelativeGap() <= s.Tol {
		return certificate, err
	}
	var rows []int
	all := s.set.Level()
	top := s.top(all)
	for _, i := range all {
		if whole || alpha[i] > 0 || beta[i] > 0 || s.wants(i, s.t, reserve, top) {
			rows = append(rows, i)
		}
	}
	s.activate(nil, s.positivesFirst(rows))
	s.resume(alpha, beta, s.scalar(alpha, beta))
	return certificate, nil
}

// resume sets the variables of the active examples, whose scores are known.
func (s *training[T]) resume(alpha, beta []float64, scalar float64) {
	at := s.set.At()
	if vec.Sum(alpha) == 0 {
		s.in.Begin(s.first())
		return
	}
	f := make([]float64, len(at))
	for p, i := range at {
		f[p] = s.f[i]
	}
	s.in.Set(func(side, p int) float64 { return [2][]float64{alpha, beta}[side][at[p]] }, f, scalar)
}
