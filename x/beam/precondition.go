package beam

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// sampleSolver solves the sample's problem on the driver.
type sampleSolver struct {
	problem *ProblemSpec
	sample  *sample
	topk    *fit.TopK
}

// smoothings are the ones with which a plain hinge is trained, one after the other.
var smoothings = []float64{.1, .01}

// newSampleSolvers returns a solver for each smoothing that a training goes through: as a rule one, the loss's own.
func newSampleSolvers(p *ProblemSpec, s *sample, o TrainOptions) (all []stepper, err error) {
	l, err := p.topkLoss()
	if err != nil {
		return nil, err
	}
	if l == topk.MultilabelHinge {
		return nil, fmt.Errorf("beam: the loss %s has kinks, want a smooth one", p.Loss)
	}
	through := []float64{p.Smoothing}
	if p.Smoothing == 0 && (l == topk.TopKHinge || l == topk.TopKUsunier) {
		through = smoothings
	}
	for _, smoothing := range through {
		q := *p
		q.Smoothing = smoothing
		all = append(all, &sampleSolver{&q, s, fit.NewTopK(s.data(p), topk.Config{Loss: l, K: max(p.K, 1),
			Smoothing: smoothing, Classes: p.Classes, Bias: p.Bias, Tol: 1e-3 * o.Tol, Epochs: o.Epochs, Seed: o.Seed,
			Workers: p.Workers})})
	}
	return all, nil
}

// named returns the smoothing.
func (t *sampleSolver) named() float64 { return t.problem.Smoothing }

// first returns the sample's own solution.
func (t *sampleSolver) first(ctx context.Context) (vec.Matrix[float64], error) {
	return t.topk.Solve(ctx, vec.Matrix[float64]{}, t.problem.Lambda)
}

// step returns the minimiser of the sample's problem whose gradient at W is the gradient of all rows, with
// Mu/2 |. - W|² added: the prior is
//
//	W0 = (Mu W + Lambda V)/(Lambda + Mu) - V_sample
//
// where V_sample is Xᵀ A of the sample at W with the penalty Lambda + Mu.
func (t *sampleSolver) step(ctx context.Context, at point, mu float64) (vec.Matrix[float64], error) {
	p := *t.problem
	p.Lambda += mu
	sums, err := t.sample.sums(p, at.w)
	if err != nil {
		return vec.Matrix[float64]{}, err
	}
	w0 := sums.V
	for j := range w0.Rows {
		row, w, v := w0.Row(j), at.w.Row(j), at.v.Row(j)
		for c := range row {
			row[c] = (mu*w[c]+t.problem.Lambda*v[c])/p.Lambda - row[c]
		}
	}
	return t.topk.Solve(ctx, w0, p.Lambda)
}
