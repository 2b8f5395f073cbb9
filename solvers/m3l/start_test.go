package m3l

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestStart: the solution with another C, R, loss or costs is a start, never worse than 0, and with a C that is close
// one that saves visits.
func TestStart(t *testing.T) {
	const n, d, m = 100, 8, 6
	rng := rand.New(rand.NewPCG(51, 52))
	x, sets := documents[float64](rng, n, d, m)
	dense, low := lowRank(rng, m, 12), lowRank(rng, m, 2)
	for name, p := range map[string]Problem[float64]{
		"linear": {X: x, R: dense}, "kernel": {Kernel: kernelOf[float64](t, x, kernel.Gaussian{Gamma: .1}), R: dense},
		"no R": {X: x},
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
		for _, r := range []vec.Matrix[float64]{{}, dense, low} {
			for _, c := range []Config{
				{C: 1e-3}, {C: 1}, {C: .05, Loss: SquaredHinge}, {C: .05, Loss: Hinge},
				{C: .05, Costs: []float64{1, 2, 3, .1, .2, .3}},
			} {
				p.R, p.Start, c.Epochs = r, nil, 100000
				cold := solve(t, p, c)
				p.Start = first
				agree(t, name, solve(t, p, c).Certificate, cold.Certificate)
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
