package project

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLargeK: vectors that a sample misjudges, or not: sorted, equal, periodic in step with it, one huge, over decades.
// The sample's element is moved down at most log2 of its size times.
func TestLargeK(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	const d = 2048
	var w Workspace[float64]
	for name, f := range map[string]func(i int) float64{
		"normal":  func(int) float64 { return rng.NormFloat64() },
		"rising":  func(i int) float64 { return float64(i) / d },
		"falling": func(i int) float64 { return -float64(i) },
		"equal":   func(int) float64 { return 1.1 },
		"ties":    func(int) float64 { return float64(rng.IntN(5)) },
		// the sample has the k largest, and what follows is little less
		"slope":    func(i int) float64 { return 1 - float64(i%samplePart*i)/d },
		"sampled":  func(i int) float64 { return float64(1 / (1 + i%samplePart)) }, // the sample has all the ones
		"skipped":  func(i int) float64 { return float64(min(i%samplePart, 1)) },   // and here none
		"one huge": func(i int) float64 { return rng.NormFloat64() + 1e8/float64(1+i*i) },
		"decades":  func(int) float64 { return rng.NormFloat64() * math.Pow(10, float64(rng.IntN(17)-8)) },
	} {
		a, x := make([]float64, d), make([]float64, d)
		size := 0.0
		for i := range a {
			a[i] = f(i)
			size = max(size, math.Abs(a[i]))
		}
		for _, k := range []int{17, 25, 60, 64, 65, d / 4, d / 3, d / 2} {
			for _, r := range []float64{1, size * d, math.Inf(1)} {
				for _, rho := range []float64{0, 1} {
					tol := 16 * d * eps * size
					th := TopKSimplex(x, a, k, r, rho, &w)
					if v := ResidualTopKSimplex(a, x, k, r, rho, th); !(v <= tol) {
						t.Errorf("%s, alpha: k=%d r=%v rho=%v: residual %g > %g, %+v", name, k, r, rho, v, tol, th)
					}
					th = TopKSimplexBeta(x, a, k, r, rho, &w)
					if v := ResidualTopKSimplexBeta(a, x, k, r, rho, th); !(v <= tol) {
						t.Errorf("%s, beta: k=%d r=%v rho=%v: residual %g > %g, %+v", name, k, r, rho, v, tol, th)
					}
				}
			}
		}
	}
}
