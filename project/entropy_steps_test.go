package project

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestEntropySteps: Newton's method takes no more steps than the comment of climb says. Two passes more find that there
// is nothing left and give the sum; and where values are no more than what d elements lose to rounding, (d + 8) 2^-53
// s, of which a step takes off at least 2^-51 s, there may be (d + 8)/4 more.
func TestEntropySteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 92))
	most := 0
	for range draws(t, 20000) {
		d := 1 + rng.IntN(12)
		if rng.IntN(10) == 0 {
			d = 1 + rng.IntN(200)
		}
		decade := func(n int) float64 { return math.Pow(10, float64(n)*(2*rng.Float64()-1)) }
		a, size := make([]float64, d), decade(6)
		for i := range a {
			a[i] = size * rng.NormFloat64()
		}
		r, rho, gamma := decade(6), decade(6), decade(6)
		if rng.IntN(4) == 0 {
			rho = 0
		}
		more := 2 + (d+8)/4
		check := func(name string, passes int, bound float64) {
			t.Helper()
			most = max(most, passes)
			if passes > int(bound)+more {
				t.Fatalf("%s, r = %v, rho = %v, gamma = %v of %v: %d passes, at most %d", name, r, rho, gamma, a, passes, int(bound)+more)
			}
		}
		e, _ := newEntropy(slices.Clone(a), r, gamma, nil)
		e.shift(r)
		check("shift", e.passes, (51+2*math.Log2(float64(d)))/2)

		e, _ = newEntropy(slices.Clone(a), r, gamma, nil)
		e.rho = rho
		e.uncapped()
		c := (r + gamma) / (rho*r + gamma)
		check("uncapped", e.passes, (51+2*math.Log2(float64(d+1))+math.Log2(max(c, 1/c)))/2)
	}
	t.Logf("at most %d passes", most)
}
