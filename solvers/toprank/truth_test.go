package toprank

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
)

// TestTruth: the optima that were computed independently, to 1e-6, from zero, uniform and random feasible dual
// variables; the same problems with C = .1 and 10, certified to 1e-6.
func TestTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for i, p := range ranktruth.Read(t, "testdata") {
		problems := problemsOf[float64](t, p)
		names := slices.Sorted(maps.Keys(problems))
		for k, name := range names {
			if testing.Short() && (i+k)%len(names) != 0 {
				continue // each problem in one form
			}
			q := problems[name]
			for _, start := range starts(rng, p) {
				q.Start = start
				near(t, p, q, name)
				if name != "kernel" && name != "dense" || testing.Short() {
					break // other storages of the same numbers: from 0 alone
				}
			}
		}
		q := problems["kernel"]
		for k, weight := range []float64{.1, 10} {
			if testing.Short() && (i+k)%2 != 0 {
				continue
			}
			other := p
			other.C = weight
			c := configOf(other)
			c.Tol, c.Epochs = 1e-6, 1<<20
			honest(t, other, q, solve(t, q, c))
		}
	}
}

// near trains and compares the values with the optimum, which is known to 1e-9.
func near(t *testing.T, p ranktruth.Problem, q Problem[float64], name string) {
	t.Helper()
	c := configOf(p)
	c.Tol, c.Epochs = 1e-6, 1<<20
	r := solve(t, q, c)
	low, high := p.Optimum*(1-1e-9), p.Optimum*(1+1e-9)
	primal, dual := r.Certificate.Primal, r.Certificate.Dual
	if primal < low || dual > high || primal > high*(1+1.1e-6) || dual < low*(1-1.1e-6) {
		t.Errorf("%s, %s: %s, want %v", p.Name, name, told(r), p.Optimum)
	}
	honest(t, p, q, r)
}

// starts are nothing, which is zero, uniform dual variables and three random ones.
func starts(rng *rand.Rand, p ranktruth.Problem) []*Result[float64] {
	all := []*Result[float64]{nil, {Alpha: make([]float64, len(p.X)), Beta: make([]float64, len(p.X))}}
	positives, lows := 0., 0.
	for _, y := range p.Positive {
		if y {
			positives++
		}
		if p.All || !y {
			lows++
		}
	}
	for i, y := range p.Positive {
		if y {
			all[1].Alpha[i] = p.C * p.Theta1 / 2
		}
		if p.All || !y {
			all[1].Beta[i] = p.C * p.Theta1 / 2 * positives / lows
		}
	}
	for range 3 {
		alpha, beta := p.Feasible(rng)
		all = append(all, &Result[float64]{Alpha: alpha, Beta: beta})
	}
	return all
}
