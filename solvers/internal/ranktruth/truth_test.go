package ranktruth

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// TestValues: at the known optima the formulas give the known values, and elsewhere the dual value is less and the
// primal value is more.
func TestValues(t *testing.T) {
	for _, p := range Read(t, filepath.Join("..", "..", "toprank", "testdata")) {
		k := p.Gram()
		primal, dual, threshold := p.Values(k, p.Alpha, p.Beta)
		// The primal is 1-strongly convex in w: |w - w*|² <= 2 (primal - optimum); and no score moves by more than that
		// times sqrt(k(x, x)), nor does t.
		off, most := math.Abs(threshold-p.Threshold), 0.0
		for i := range k.Rows {
			most = max(most, k.Row(i)[i])
		}
		missed := p.Infeasible(p.Alpha, p.Beta)
		if missed > 1e-11 || off > math.Sqrt(2*1e-9*p.Optimum*most) {
			t.Errorf("%s: %v outside the domain, threshold %v, want %v", p.Name, missed, threshold, p.Threshold)
		}
		if math.Abs(primal-p.Optimum) > 1e-9*p.Optimum || math.Abs(dual-p.Optimum) > 1e-9*p.Optimum {
			t.Errorf("%s: %v and %v, want %v", p.Name, primal, dual, p.Optimum)
		}
		alpha, beta := make([]float64, len(p.Alpha)), make([]float64, len(p.Beta))
		for i := range alpha {
			alpha[i], beta[i] = .9*p.Alpha[i], .9*p.Beta[i]
		}
		if lower, less, _ := p.Values(k, alpha, beta); lower <= primal || less >= dual {
			t.Errorf("%s: %v and %v, where the optimum is %v and %v", p.Name, lower, less, primal, dual)
		}
		beta[0] += 1
		if p.Infeasible(alpha, beta) == 0 {
			t.Errorf("%s: sums that differ are within the domain", p.Name)
		}
	}
}

// TestDraw: of random feasible dual variables the dual value is at most the primal one, in every variant of every
// problem.
func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, special := range append(Special(rng), Draw(rng, 30, 4)) {
		for _, p := range special.Variants() {
			k := p.Gram()
			for range 20 {
				alpha, beta := p.Feasible(rng)
				if missed := p.Infeasible(alpha, beta); missed > 1e-14*float64(len(alpha)) {
					t.Fatalf("%s: %v outside the domain", p.Name, missed)
				}
				if primal, dual, _ := p.Values(k, alpha, beta); !(primal >= dual-1e-12*math.Abs(dual)) {
					t.Errorf("%s: primal %v, dual %v", p.Name, primal, dual)
				}
			}
		}
	}
}
