package toprank

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// base is the state that all trainings have, with the solution that was certified last.
type base[T vec.Float] struct {
	train.Trust
	*objective
	x     design.Matrix[T]               // nil where the model is a kernel's
	wide  *kernel.Matrix[float64]        // the kernel for certificates, where the model is
	f     []float64                      // scores of all examples as last computed
	duals func() (alpha, beta []float64) // returns the dual variables of all examples as they are

	epoch, visits int

	estimate solvers.Certificate // what the epochs saw
	levels   *active.Levels      // nil where all examples are trained on at once
	partial  bool                // the estimate is for the active examples, and there are others

	alpha, beta  []float64
	coefficients vec.Matrix[T] // of the model, n-by-1: alpha - beta rounded to T, or, of features, the weights, d-by-1
	t            float64
	fresh        bool // the last certificate is of the training as it is
}

func newBase[T vec.Float](o *objective, x design.Matrix[T]) base[T] {
	return base[T]{objective: o, x: x, f: make([]float64, len(o.Positive))}
}

// Estimate: see train.Method, as of the next ones.
func (s *base[T]) Estimate() solvers.Certificate { return s.estimate }
func (s *base[T]) Partial() bool                 { return s.partial }
func (s *base[T]) Visits() (visits, n int)       { return s.visits, len(s.f) }

// checkEpoch refuses a state of an epoch that cannot be.
func (s *base[T]) checkEpoch(r *container.Reader) {
	if !container.Counts(s.epoch) {
		r.Corrupt("epoch %d", s.epoch)
	}
}

// withhold keeps the gap of an estimate for the active examples above the tolerance: no certificate is due.
func (s *base[T]) withhold() {
	gap := 2 * s.Tol * max(math.Abs(s.estimate.Primal), math.Abs(s.estimate.Dual))
	s.estimate.Dual = min(s.estimate.Dual, s.estimate.Primal-gap)
}

// others reports whether there are examples that are not active.
func (s *base[T]) others() bool { return s.levels != nil && len(s.levels.At()) < len(s.f) }

// part is the problem of the level.
func (s *base[T]) part() *toploss.Objective {
	if s.levels == nil || s.levels.Last() {
		return s.Objective
	}
	return s.Part(s.levels.Level())
}

// ends returns the threshold of the level, and the score above which its examples are active when it begins with
// TopPush, whose threshold hangs on few scores: a tenth of them at least are.
func (s *base[T]) ends() (t, top float64) {
	_, ranked := s.Split(s.levels.Level(), s.f)
	part := s.part()
	t = part.Threshold(ranked)
	slices.Sort(ranked)
	return t, ranked[max(0, len(ranked)-max(topScores, len(ranked)/10, 2*part.K))]
}

// Zero: see train.Certified, as of the next ones. The dual value of variables that are all 0 is 0.
func (s *base[T]) Zero() (c solvers.Certificate) {
	c.Primal, _ = s.Primal(make([]float64, len(s.Positive)), 0)
	return c
}

// DualVariables returns alpha and beta.
func (s *base[T]) DualVariables() *train.Variables[T] {
	return &train.Variables[T]{Numbers: slices.Concat(s.alpha, s.beta)}
}

// Fits takes coefficients or weights with a threshold, and as many alphas and betas as examples.
func (s *base[T]) Fits(primal, dual train.Variables[T]) bool {
	model := len(primal.Matrices) == 1 && len(primal.Numbers) == 1 && primal.Matrices[0].Rows == s.size() &&
		primal.Matrices[0].Cols == 1
	return (model || primal.None()) && (dual.None() || dual.Matrices == nil && len(dual.Numbers) == 2*len(s.f))
}

// size returns the number of coefficients, or weights.
func (s *base[T]) size() int {
	if s.x == nil {
		return len(s.f)
	}
	_, d := s.x.Dims()
	return d
}

// start has a certificate of the given dual variables. If that is not good enough training begins afresh, unless a
// method says otherwise.
func (s *base[T]) start(alpha, beta []float64) (solvers.Certificate, error) {
	return s.certify(alpha, beta)
}

// PrimalVariables returns what the model is made of: where it was not certified as it is that is done aside.
func (s *base[T]) PrimalVariables() (v train.Variables[T], err error) {
	if !s.fresh {
		now, f := *s, slices.Clone(s.f)
		defer func() {
			*s = now
			copy(s.f, f)
		}()
		if _, err = s.Certify(); err != nil {
			return v, err
		}
	}
	return train.Variables[T]{Matrices: []vec.Matrix[T]{s.coefficients}, Numbers: []float64{s.t}}, nil
}

// judge returns the certificate of the dual variables, whose scores have |w|² = exact, and of the model with the scores
// f, off by e at most, and |w|² = norm; and keeps its threshold. check says whether it is to be believed, by the
// rounding, which the losses are added to.
func (s *base[T]) judge(exact float64, f, e []float64, norm float64, rounding *ascent.Rounding,
	check func(solvers.Certificate) error) (c solvers.Certificate, err error) {
	c.Primal, s.t = s.Primal(f, max(0, norm))
	c.Dual = s.Dual(s.alpha, s.beta, max(0, exact))
	s.fresh = true
	if gap := c.Gap(); gap-gap != 0 {
		return c, fmt.Errorf("%w: %v", train.ErrRounding, c)
	}
	rounding.AddOff(s.Rounding(f, e))
	return c, check(c)
}

// scoreAll sets f to the scores of the dual variables, and returns their weights, Xᵀ c.
func (s *base[T]) scoreAll(x design.Matrix[float64], alpha, beta []float64) (w vec.Matrix[float64]) {
	n, d := x.Dims()
	w = vec.NewMatrix[float64](d, 1)
	design.AccumulateAll(w, vec.MatrixOf(n, 1, difference(alpha, beta)), x, s.Workers)
	design.ScoresAll(vec.MatrixOf(n, 1, s.f), w, x, s.Workers)
	return w
}

// difference returns c = alpha - beta.
func difference(alpha, beta []float64) []float64 {
	c := slices.Clone(alpha)
	for i, v := range beta {
		c[i] -= v
	}
	return c
}

// byWeights computes the weights of the dual variables, in float64 and rounded to T, the scores f by the former, and
// the certificate of the latter.
func (s *base[T]) byWeights() (solvers.Certificate, error) {
	n, d := s.x.Dims()
	wide, norms, rounding := design.Float64(s.x), make([]float64, n), ascent.NewRounding(0, 0, n, d)
	wide.SquaredNorms(norms)
	for i, v := range difference(s.alpha, s.beta) {
		rounding.Add(norms[i], math.Abs(v))
	}
	w := s.scoreAll(wide, s.alpha, s.beta)
	exact := vec.SquaredNorm(w.Data)
	s.coefficients = vec.NewMatrix[T](d, 1)
	vec.Convert(s.coefficients.Data, w.Data)
	vec.Convert(w.Data, s.coefficients.Data)
	f := vec.NewMatrix[float64](n, 1)
	design.ScoresAll(f, w, wide, s.Workers)
	norm := vec.SquaredNorm(w.Data)
	slack := ascent.SlackOf(d, math.Sqrt(norm), 0)
	for i, v := range norms {
		norms[i] = slack.Norm * math.Sqrt(v)
	}
	return s.judge(exact, f.Data, norms, norm, &rounding, func(c solvers.Certificate) error {
		return rounding.CheckWeights(&s.Trust, c, 1, s.Tol, exact)
	})
}

// Certify computes the scores of all examples in float64, by the dual variables and by the model's coefficients, which
// are these rounded to T.
func (s *base[T]) Certify() (c solvers.Certificate, err error) {
	if c, err = s.certify(s.duals()); err != nil {
		err = fmt.Errorf("after %d epochs %w", s.epoch, err)
	}
	return c, err
}

func (s *base[T]) certify(alpha, beta []float64) (solvers.Certificate, error) {
	s.Feasible(alpha, beta)
	s.alpha, s.beta = alpha, beta
	if s.x != nil {
		return s.byWeights()
	}
	n := len(s.f)
	diagonal := make([]float64, n)
	s.wide.Diagonal(diagonal)
	worst, typical := s.wide.Rounding()
	rounding := ascent.NewRounding(worst, typical, n, 1)
	s.coefficients = vec.NewMatrix[T](n, 1)
	a, f := vec.NewMatrix[float64](n, 2), vec.NewMatrix[float64](n, 2)
	for i := range n {
		exact := alpha[i] - beta[i]
		s.coefficients.Data[i] = T(exact)
		rounding.Add(diagonal[i], math.Abs(exact))
		a.Row(i)[0], a.Row(i)[1] = exact, float64(T(exact))
	}
	s.wide.Multiply(f, a, s.Workers)
	exact, norm, model := 0.0, 0.0, make([]float64, n)
	for i := range n {
		ai, fi := a.Row(i), f.Row(i)
		exact += ai[0] * fi[0]
		norm += ai[1] * fi[1]
		s.f[i], model[i] = fi[0], fi[1]
	}
	slack := rounding.Slack(1, 0)
	for i, v := range diagonal {
		diagonal[i] = slack.Norm * ascent.Root(v)
	}
	return s.judge(exact, model, diagonal, norm, &rounding, func(c solvers.Certificate) error {
		for i, positive := range s.Positive {
			if positive {
				v := max(0, 1+s.config.Theta1*(s.t-model[i]))
				rounding.AddLoss(s.config.C, v*v, 1, s.config.Theta1*(math.Abs(s.t)+math.Abs(model[i])))
			}
		}
		return rounding.Check(&s.Trust, c, 1, s.Tol, norm, exact)
	})
}
