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

// TraceSpec is the penalty of tracenorm, Lambda1 |W|_* + Lambda2 |W|², and what the rows are.
type TraceSpec struct {
	// Lambda1 >= 0 and Lambda2 > 0, which pulls to the prior of the sample's problem. Default, where both are 0:
	// Lambda1 is tracenorm's LargestLambda1 of all rows over 2000, and Lambda2 a tenth of Lambda1.
	Lambda1, Lambda2 float64

	Raw bool // train on the rows as they are; default: on what is left of them when their mean is taken away
}

// check returns what is wrong with s.
func (s TraceSpec) check() error {
	if s.Lambda1 == 0 && s.Lambda2 == 0 || s.Lambda2 > 0 && s.Lambda1 >= 0 && !math.IsInf(s.Lambda1+s.Lambda2, 0) {
		return nil
	}
	return fmt.Errorf("beam: Lambda1 %v and Lambda2 %v, want finite numbers, Lambda1 >= 0 and Lambda2 > 0, or both 0",
		s.Lambda1, s.Lambda2)
}

// TrainTrace solves the problem of tracenorm on all rows:
//
//	J(W) = 1/n sum_i softmax loss(Wᵀ(x_i - mean), y_i) + Lambda1 |W|_* + Lambda2 |W|²
//
// mean is the mean of all rows, or 0 with Raw. A constant feature, p.Bias, is a row of W as tracenorm has it. The model
// is W in factors, of a rank that may be a few more than the optimum's; its offsets are what the mean and the constant
// feature add to scores.
//
// Passes are the ones of [Train], and so are what they depend on and what a Status says. One more comes before them,
// for the mean and the default of Lambda1, unless neither is needed; Outcome counts it, TrainOptions.Passes does not.
// Rows stay as they are, so that sparse ones stay sparse. Of p all but the loss and Lambda counts. The driver's problem
// is tracenorm's on the sample, less the sample's own mean, with a prior. Of dual variables with V = (X - 1 meanᵀ)ᵀ A
// and the mean H of the entropies of their probabilities, the bound is
//
//	D = H - sum_j max(0, sigma_j(V) - Lambda1)²/(4 Lambda2)
//
// Two things differ from Train. Steps go by a mixture of the latest eight passes, or fewer where these would take more
// than 128 MB: the default lambdas are small, and would need many passes otherwise. And the bound keeps one mixture of
// dual variables. The smaller the lambdas, the larger the sample should be.
//
// Default of TrainOptions.Epochs: 200. Memory of the driver: 35 d m numbers or so, and tracenorm's for the sample.
func TrainTrace(ctx context.Context, d Driver, s TraceSpec, p ProblemSpec, o TrainOptions, rows []Rows) (
	*linear.LowRank[float64], solvers.Outcome, error,
) {
	if err := s.check(); err != nil {
		return nil, solvers.Outcome{}, err
	}
	p.Loss, p.K, p.Smoothing, p.Lambda = "topk-entropy", 1, 0, 1
	o.Epochs = cmp.Or(o.Epochs, 200)
	t, some, err := newTraining(ctx, d, p, o, rows)
	if err != nil {
		return nil, solvers.Outcome{}, err
	}
	defer t.clean(ctx)
	solver, err := newTraceSolver(ctx, s, t, some)
	if err != nil {
		return nil, solvers.Outcome{}, err
	}
	t.solvers, t.centring = []stepper{solver}, &solver.all
	t.value, t.unit = &traceBound{TraceSpec: solver.TraceSpec}, 2*solver.Lambda2
	out, err := t.run(ctx)
	if err != nil {
		return nil, out, err
	}
	m, err := solver.own.moved(solver.models[t.best.pass-1], &solver.all)
	return m, out, err
}

// traceSolver solves the sample's problem on the driver.
type traceSolver struct {
	TraceSpec // with all defaults
	problem   *ProblemSpec
	sample    *sample
	all, own  centring // of all rows, and of the sample
	trace     *fit.Trace
	models    []*linear.LowRank[float64] // of each pass, on the sample: of the latest pass, and of the best one

	prior vec.Matrix[float64] // of the latest problem, empty: none
	mu    float64             // of the latest problem
	past  []visited           // passes that are mixed, the best one last
}

// newTraceSolver makes the pass for the mean and Lambda1.
func newTraceSolver(ctx context.Context, s TraceSpec, t *training, some *sample) (*traceSolver, error) {
	p, o := &t.problem, &t.options
	none := centring{make([]float64, p.Features), p.Bias}
	solver := &traceSolver{TraceSpec: s, problem: p, sample: some, all: none, own: none}
	open := s.Lambda2 == 0
	if open || !s.Raw {
		tally, w := p.tally()
		sums, err := t.sumsAt(ctx, tally, w, 0)
		if err != nil {
			return nil, err
		}
		t.tallies = 1
		if !s.Raw {
			own, err := some.sums(tally, w)
			if err != nil {
				return nil, err
			}
			solver.all.mean, solver.own.mean = sums.mean(), own.mean()
		}
		if open {
			solver.Lambda1 = max(solver.all.atZero(sums)/2000, 1e-100) // where all rows are equal
			solver.Lambda2 = solver.Lambda1 / 10
		}
	}
	solver.trace = fit.NewTrace(some.data(p), tracenorm.Config{Lambda1: solver.Lambda1, Classes: p.Classes, Raw: s.Raw,
		Bias: p.Bias, Tol: 1e-3 * o.Tol, Epochs: o.Epochs, Seed: o.Seed, Workers: p.Workers})
	return solver, nil
}

func (t *traceSolver) named() float64 { return 0 }

// first returns the sample's own solution.
func (t *traceSolver) first(ctx context.Context) (vec.Matrix[float64], error) {
	return t.solve(ctx, vec.Matrix[float64]{}, 0)
}

// step returns the minimiser of the sample's problem with <H, .> + Mu/2 |. - M|² added, where M = sum_k alpha_k W_k and
// H = sum_k alpha_k C_k are mixtures of the latest passes, each better than the one before: see [mixing]. Of one pass
// the gradient at W is so the gradient of all rows. Lambda2 + Mu/2 pulls to
//
//	W0 = (Mu M - H)/(2 Lambda2 + Mu)
//
// A pass that is no better than the best one is not mixed, and leaves only the best one to mix.
func (t *traceSolver) step(ctx context.Context, at point, mu float64) (vec.Matrix[float64], error) {
	for k := range t.models {
		if k != at.pass-1 {
			t.models[k] = nil
		}
	}
	if n := len(t.past); n > 0 && t.past[n-1].pass == at.pass {
		t.past = t.past[n-1:]
	} else if err := t.visit(at); err != nil {
		return vec.Matrix[float64]{}, err
	}
	w0 := vec.NewMatrix[float64](at.w.Rows, at.w.Cols)
	for k, alpha := range mixing(t.past) {
		for j := range w0.Rows {
			vec.Axpy(alpha*mu/(2*t.Lambda2+mu), t.past[k].w.Row(j), w0.Row(j))
			vec.Axpy(-alpha/(2*t.Lambda2+mu), t.past[k].c.Row(j), w0.Row(j))
		}
	}
	return t.solve(ctx, w0, mu)
}

// visit adds the latest pass to those that are mixed. The gradient of a loss is -V, and the gradient of the sample's
// problem is 0 at W, so that
//
//	C = V_sample - V,   R = C - Mu W + (2 Lambda2 + Mu) W0
func (t *traceSolver) visit(at point) error {
	sums, err := t.sample.sums(t.own.problem(*t.problem), t.own.weights(at.w))
	if err != nil {
		return err
	}
	t.own.sums(sums)
	c, r := sums.V, vec.NewMatrix[float64](at.w.Rows, at.w.Cols)
	for j := range c.Rows {
		vec.Axpy(-1, at.v.Row(j), c.Row(j))
		copy(r.Row(j), c.Row(j))
		vec.Axpy(-t.mu, at.w.Row(j), r.Row(j))
		if t.prior.Rows > 0 {
			vec.Axpy(2*t.Lambda2+t.mu, t.prior.Row(j), r.Row(j))
		}
	}
	if len(t.past) == mostMixed(t.problem) {
		t.past = t.past[1:]
	}
	t.past = append(t.past, visited{at.w, c, r, at.pass})
	return nil
}

// solve solves the sample's problem with Lambda2 + Mu/2 and a prior, and keeps the model for the next pass.
func (t *traceSolver) solve(ctx context.Context, prior vec.Matrix[float64], mu float64) (vec.Matrix[float64], error) {
	m, _, err := t.trace.Solve(ctx, prior, t.Lambda2+mu/2)
	if err != nil {
		return vec.Matrix[float64]{}, err
	}
	t.prior, t.mu, t.models = prior, mu, append(t.models, m)
	return t.own.trained(m), nil
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
