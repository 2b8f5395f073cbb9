package m3l

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestSMOTruth: the paper's method ends at the known optima.
func TestSMOTruth(t *testing.T) {
	for i, p := range truth(t) {
		s := newSMO(smoOf(t, p), SMOOptions{Tau: 1e-9, Every: 1})
		if status, err := s.solve(context.Background()); status != solvers.Converged || err != nil {
			t.Errorf("problem %d: %v, %v after %d iterations", i, status, err, s.iterations)
		}
		primal, dual := certify(p, s)
		t.Logf("problem %d: %d iterations, primal %.12g, dual %.12g, want %.12g", i, s.iterations, primal, dual, p.Primal)
		for name, v := range map[string]float64{"primal": primal, "dual": dual, "history": s.steps[len(s.steps)-1].Dual} {
			if math.Abs(v-p.Primal) > 1e-7*p.Primal {
				t.Errorf("problem %d: %s %.12g, want %.12g", i, name, v, p.Primal)
			}
		}
		for k, step := range s.steps[1:] {
			if step.Dual < s.steps[k].Dual || step.Iterations != k+1 {
				t.Fatalf("problem %d: %v after %v", i, step, s.steps[k])
			}
		}
	}
}

func smoOf(t testing.TB, p truthProblem) smoProblem[float64] {
	return smoProblem[float64]{
		k: p.matrix(t), r: p.prior(), sets: p.sets(), labels: len(p.R), margins: p.margins,
		cost: func(int, int) float64 { return p.C },
	}
}

// certify computes both values of the objective from the variables alone: with A_il = 2 y_il alpha_il and S = K A R,
// the primal 1/2 <A, S> + C Σ max(Δ+, Δ- - 2 y s) and the dual Σ (alpha (Δ- - Δ+) + C Δ+) - 1/2 <A, S>.
func certify(p truthProblem, s *smo[float64]) (primal, dual float64) {
	n, labels := len(p.X), len(p.R)
	a := vec.NewMatrix[float64](n, labels)
	s.duals(a)
	value := func(i, j int) float64 {
		product, distance := 0.0, 0.0
		for f := range p.X[i] {
			product += p.X[i][f] * p.X[j][f]
			distance += (p.X[i][f] - p.X[j][f]) * (p.X[i][f] - p.X[j][f])
		}
		if p.Kernel == "gauss" {
			return math.Exp(-p.Gamma * distance)
		}
		return product
	}
	for i := range n {
		for l := range labels {
			score := 0.0
			for j := range n {
				for k := range labels {
					score += value(i, j) * a.At(j, k) * p.R[k][l]
				}
			}
			half := a.At(i, l) * score / 2
			primal += half + p.C*max(p.Plus[i][l], p.Minus[i][l]-2*p.Y[i][l]*score)
			dual += math.Abs(a.At(i, l))/2*(p.Minus[i][l]-p.Plus[i][l]) + p.C*p.Plus[i][l] - half
		}
	}
	return primal, dual
}

var _ = rand.New
var _ = prove.Both
var _ = kernel.Linear{}
