package beam

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// TraceSpec is the penalty of tracenorm, Lambda1 |W|_* + Lambda2 |W|².
type TraceSpec struct {
	Lambda1 float64 // >= 0
	Lambda2 float64 // > 0: the sample's problem has a prior, which Lambda2 pulls to
}

// TrainTrace solves the problem of tracenorm on all rows as they are, which is tracenorm.Config.Raw:
//
//	J(W) = 1/n sum_i softmax loss(Wᵀx_i, y_i) + Lambda1 |W|_* + Lambda2 |W|²
//
// Passes are the ones of [Train], and so are what they depend on and what a Status says. Of p all but the loss and
// Lambda counts. The driver's problem is tracenorm's on the sample, with a prior. Of dual variables with V = Xᵀ A and
// the mean H of the entropies of their probabilities, the bound is
//
//	D = H - sum_j max(0, sigma_j(V) - Lambda1)²/(4 Lambda2)
//
// Rows should have a mean near 0, or the passes are more: tracenorm itself takes the mean away, and this does not.
// Default of TrainOptions.Epochs: 200. Memory of the driver: 10 d m numbers or so.
func TrainTrace(ctx context.Context, d Driver, s TraceSpec, p ProblemSpec, o TrainOptions, rows []Rows) (
	*linear.Model[float64], solvers.Outcome, error,
) {
	if !(s.Lambda2 > 0) || !(s.Lambda1 >= 0) || math.IsInf(s.Lambda1+s.Lambda2, 0) {
		return nil, solvers.Outcome{}, fmt.Errorf("beam: Lambda1 %v and Lambda2 %v, want finite numbers, Lambda1 >= 0 "+
			"and Lambda2 > 0", s.Lambda1, s.Lambda2)
	}
	p.Loss, p.K, p.Smoothing, p.Lambda = "topk-entropy", 1, 0, 1
	o.Epochs = cmp.Or(o.Epochs, 200)
	t, err := newTraining(ctx, d, p, o, rows, func(p *ProblemSpec, some *sample, o TrainOptions) ([]stepper, error) {
		c := tracenorm.Config{Lambda1: s.Lambda1, Classes: p.Classes, Raw: true, Bias: p.Bias, Tol: 1e-3 * o.Tol,
			Epochs: o.Epochs, Seed: o.Seed, Workers: p.Workers}
		return []stepper{&traceSolver{s, p, some, fit.NewTrace(some.data(p), c)}}, nil
	})
	if err != nil {
		return nil, solvers.Outcome{}, err
	}
	t.value, t.unit = &traceBound{TraceSpec: s}, 2*s.Lambda2
	return t.finish(ctx)
}

// traceSolver solves the sample's problem on the driver.
type traceSolver struct {
	TraceSpec
	problem *ProblemSpec
	sample  *sample
	trace   *fit.Trace
}

func (t *traceSolver) named() float64 { return 0 }

// first returns the sample's own solution.
func (t *traceSolver) first(ctx context.Context) (vec.Matrix[float64], error) {
	w, _, err := t.trace.Solve(ctx, vec.Matrix[float64]{}, t.Lambda2)
	return w, err
}

// step returns the minimiser of the sample's problem whose gradient at W is the gradient of all rows, with
// Mu/2 |. - W|² added. The difference of the gradients of the losses is V_sample - V, so that Lambda2 + Mu/2 pulls to
//
//	W0 = (Mu W + V - V_sample)/(2 Lambda2 + Mu)
func (t *traceSolver) step(ctx context.Context, at point, mu float64) (vec.Matrix[float64], error) {
	sums, err := t.sample.sums(*t.problem, at.w)
	if err != nil {
		return vec.Matrix[float64]{}, err
	}
	w0 := sums.V
	for j := range w0.Rows {
		row, w, v := w0.Row(j), at.w.Row(j), at.v.Row(j)
		for c := range row {
			row[c] = (mu*w[c] + v[c] - row[c]) / (2*t.Lambda2 + mu)
		}
	}
	next, _, err := t.trace.Solve(ctx, w0, t.Lambda2+mu/2)
	return next, err
}

// traceBound is the best lower bound of the optimum of J that the dual variables of the passes prove, of which it keeps
// one mixture.
type traceBound struct {
	TraceSpec
	entropy float64
	v       vec.Matrix[float64] // empty: no pass yet
	value   float64
}

// primal returns J(W). O(d m min(d, m)).
func (b *traceBound) primal(s *Sums, w vec.Matrix[float64]) float64 {
	norm := 0.0
	for _, sigma := range spectral.Values(w) {
		norm += sigma
	}
	return s.Loss/float64(s.Rows) + b.Lambda1*norm + b.Lambda2*square(w)
}

// mix takes the sums of a pass into the mixture, by a search of the best share, and returns the bound. The bound is
// concave in the share. 24 times O(d m min(d, m)).
func (b *traceBound) mix(s *Sums) float64 {
	if b.v.Rows == 0 {
		b.entropy, b.v, b.value = s.Terms, s.V, b.dual(s.Terms, s.V)
		return b.value
	}
	v, share := vec.NewMatrix[float64](s.V.Rows, s.V.Cols), 0.0
	at := func(share float64) float64 { return b.dual(b.mixture(v, s, share), v) }
	from, to := 0.0, 1.0
	for range 12 {
		l, r := from+(to-from)*.382, from+(to-from)*.618
		if at(l) < at(r) {
			from = l
		} else {
			to = r
		}
	}
	best := b.value
	for _, k := range []float64{(from + to) / 2, 1} {
		if d := at(k); d > best {
			best, share = d, k
		}
	}
	if share > 0 {
		b.entropy, b.v, b.value = b.mixture(v, s, share), v, best
	}
	return b.value
}

// mixture sets v to the mixture's V and returns its entropy, at least: entropies are concave.
func (b *traceBound) mixture(v vec.Matrix[float64], s *Sums, share float64) float64 {
	for j := range v.Rows {
		old, other := b.v.Row(j), s.V.Row(j)
		for c := range old {
			v.Row(j)[c] = (1-share)*old[c] + share*other[c]
		}
	}
	return (1-share)*b.entropy + share*s.Terms
}

// dual returns D.
func (b *traceBound) dual(entropy float64, v vec.Matrix[float64]) float64 {
	for _, sigma := range spectral.Values(v) {
		over := max(0, sigma-b.Lambda1)
		entropy -= over * over / (4 * b.Lambda2)
	}
	return entropy
}
