package m3l

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers/kernel"
)

// TestStart: the solution with another C, R, P, loss or costs is a start, never worse than 0, and with a C that is
// close one that saves visits.
func TestStart(t *testing.T) {
	const n, d, m = 100, 8, 6
	rng := rand.New(rand.NewPCG(51, 52))
	x, sets := documents[float64](rng, n, d, m)
	dense, low, f := lowRank(rng, m, 12), lowRank(rng, m, 2), factor(rng, m, 2)
	k := kernelOf[float64](t, x, kernel.Gaussian{Gamma: .1})
	for name, p := range map[string]Problem[float64]{
		"linear": {X: x, R: dense}, "kernel": {Kernel: k, R: dense}, "no R": {X: x},
		"linear with P": {X: x, P: f, Ridge: .1}, "kernel with P": {Kernel: k, P: f, Ridge: .1},
	} {
		p.Sets = sets
		c := Config{C: .05, Tol: 1e-4, Epochs: 100000, Workers: 1}
		first := solve(t, p, c)
		p.Start = first
		if again := solve(t, p, c); again.Visits != 0 {
			t.Errorf("%s: %s from its own solution", name, told(again))
		}
		c.C *= 1.01
		warm := solve(t, p, c)
		p.Start = nil
		cold := solve(t, p, c)
		if agree(t, name, warm.Certificate, cold.Certificate); warm.Visits >= cold.Visits {
			t.Errorf("%s: %d visits from the solution nearby, %d from 0", name, warm.Visits, cold.Visits)
		}
		for _, r := range []prior{{}, {r: dense}, {r: low}, {p: f}, {p: f, ridge: .25}} {
			for _, c := range []Config{
				{C: 1e-3}, {C: 1}, {C: .05, Loss: SquaredHinge}, {C: .05, Loss: Hinge}, {C: .05, Loss: Logistic},
				{C: .05, Costs: []float64{1, 2, 3, .1, .2, .3}},
			} {
				p.R, p.P, p.Ridge, p.Start, c.Epochs = r.r, r.p, r.ridge, nil, 100000
				cold := solve(t, p, c).Certificate
				p.Start = first
				warm := solve(t, p, c).Certificate
				// Both may be optimal to the bit.
				warm.Primal, cold.Primal = warm.Primal*(1+1e-12), cold.Primal*(1+1e-12)
				agree(t, name, warm, cold)
				c.Tol = 1e18 // satisfied with the start
				r, err := p.Fit(context.Background(), c)
				if err != nil || r.Certificate.Dual < 0 || r.Visits != 0 {
					t.Errorf("%s, %+v: %s, %v", name, c, told(r), err)
				}
				honest(t, p, c, r)
			}
		}
	}
}
