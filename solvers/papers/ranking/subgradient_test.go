package ranking

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
)

// TestSubgradientStep: a step of TopPush, whose dual is quadratic, gains what the largest value of the bound promises,
// and one of PatMat at least that. The dual values are sums of some 100 terms, of at most 1000 in all.
func TestSubgradientStep(t *testing.T) {
	for _, p := range ranktruth.Draw(rand.New(rand.NewPCG(5, 6)), 40, 3).Variants() {
		o := toploss.New(toploss.Objective{PatMat: p.PatMat, Hinge: p.Hinge, All: p.All, K: p.K,
			C: p.C, Tau: p.Tau, Theta1: p.Theta1, Theta2: p.Theta2, Positive: p.Positive})
		s := newDescent(&dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}, o, 1)
		for range 30 {
			alpha, w, before, best := slices.Clone(s.here.alpha), slices.Clone(s.here.w), s.now, s.best
			s.step()
			apart, bend := 0.0, 0.0
			for i, v := range s.there.alpha {
				if !p.Hinge {
					apart += (v - alpha[i]) * (v - alpha[i]) / (4 * p.C * p.Theta1 * p.Theta1)
				}
			}
			for j, v := range s.there.w {
				bend += (v - w[j]) * (v - w[j])
			}
			rise := before.Primal - before.Dual + apart
			bend += 2 * apart
			want := before.Dual + rise - bend/2
			if rise < bend {
				want = before.Dual + rise*rise/(2*bend)
			}
			if more := s.now.Dual - want; more < -1e-10 || !p.PatMat && more > 1e-10 {
				t.Fatalf("%s: dual %v, from %v, want %v", p.Name, s.now.Dual, before.Dual, want)
			}
			if s.best.Primal != min(best.Primal, s.now.Primal) || s.best.Dual != max(best.Dual, s.now.Dual) {
				t.Fatalf("%s: the best values are %v after %v and %v", p.Name, s.best, best, s.now)
			}
		}
	}
}
