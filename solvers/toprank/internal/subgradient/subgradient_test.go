package subgradient

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
)

// TestStep: a step of TopPush, whose dual is quadratic, gains what the largest value of the bound promises, and one of
// PatMat at least that. The dual values are sums of some 100 terms, of at most 1000 in all.
func TestStep(t *testing.T) {
	for _, p := range ranktruth.Draw(rand.New(rand.NewPCG(5, 6)), 40, 3).Variants() {
		o := toploss.New(toploss.Objective{PatMat: p.PatMat, Hinge: p.Hinge, All: p.All, K: p.K,
			C: p.C, Tau: p.Tau, Theta1: p.Theta1, Theta2: p.Theta2, Positive: p.Positive})
		threshold := 0.0
		s := New(Problem{
			X: &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}, P1: o.Curvature() / 2, Workers: 1,
			Judge: func(at Point, norm float64) (c solvers.Certificate) {
				c.Primal, threshold = o.Primal(at.F, norm)
				c.Dual = o.Dual(at.Alpha, at.Beta, norm)
				return c
			},
			Answer: func(alpha, beta []float64, at Point) { o.Answer(alpha, beta, at.F, threshold) },
		})
		for range 30 {
			alpha, w, before, best := slices.Clone(s.Here.Alpha), slices.Clone(s.Here.W), s.Now, s.Best
			s.Step()
			apart, bend := 0.0, 0.0
			for i, v := range s.There.Alpha {
				if !p.Hinge {
					apart += (v - alpha[i]) * (v - alpha[i]) / (4 * p.C * p.Theta1 * p.Theta1)
				}
			}
			for j, v := range s.There.W {
				bend += (v - w[j]) * (v - w[j])
			}
			rise := before.Primal - before.Dual + apart
			bend += 2 * apart
			want := before.Dual + rise - bend/2
			if rise < bend {
				want = before.Dual + rise*rise/(2*bend)
			}
			if more := s.Now.Dual - want; more < -1e-10 || !p.PatMat && more > 1e-10 {
				t.Fatalf("%s: dual %v, from %v, want %v", p.Name, s.Now.Dual, before.Dual, want)
			}
			if s.Best.Primal != min(best.Primal, s.Now.Primal) || s.Best.Dual != max(best.Dual, s.Now.Dual) {
				t.Fatalf("%s: the best values are %v after %v and %v", p.Name, s.Best, best, s.Now)
			}
		}
	}
}
