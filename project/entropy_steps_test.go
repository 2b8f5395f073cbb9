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
				t.Fatalf("%s, r = %v, rho = %v, gamma = %v of %v: %d passes, at most %d", name, r, rho, gamma, a,
					passes, int(bound)+more)
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

// TestEntropyExtremeGamma: where 1/gamma or gamma log gamma leave the numbers, or nearly do, the proximal point is the
// projection onto the simplex, or uniform. The argument of omega is at least |log gamma| then in a sum of four terms,
// each of which may round, and its absolute error is the relative one of x.
func TestEntropyExtremeGamma(t *testing.T) {
	a := []float64{0.3, -2, 0.7, 0.65, -0.1}
	x, want := make([]float64, len(a)), make([]float64, len(a))
	Simplex(want, a, Equal, 1, nil)
	for _, gamma := range []float64{0x1p-1074, 0x1p-1001, 0x1p-999, 0x1p899, 0x1p901, 0x1p1000, 0x1p1023} {
		bound := 0x1p-50
		if gamma > 1 {
			bound += 4 * 0x1p-53 * math.Log(gamma) * 0.2
			for i := range want {
				want[i] = 0.2
			}
		}
		for _, scale := range []float64{1, 0x1p40, 0x1p900} {
			if gamma > 1 && scale > 1 {
				break
			}
			for i, v := range a {
				x[i] = scale * v
			}
			EntropySimplex(x, x, scale, gamma, nil)
			for i, v := range x {
				if !(math.Abs(v-scale*want[i]) <= scale*bound) {
					t.Errorf("gamma = %v, %v times as large: %v, want %v", gamma, scale, x, want)
					break
				}
			}
		}
	}
}

// TestBracketed: no more steps than the comment of bracketed says, where Newton's method creeps, leaves the interval at
// each step, or gains little; and no more than Newton's where it is at home.
func TestBracketed(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		lo, hi, root float64
		most         float64
		f            func(t float64) (value, slope float64)
	}{
		"creeps": {0, 1000, 600, inf, func(t float64) (f, slope float64) {
			return math.Exp(-t) - math.Exp(-600), -math.Exp(-t)
		}},
		"leaves": {0, 10, math.Pi, inf, func(t float64) (f, slope float64) {
			return math.Copysign(1, math.Pi-t), -1e-9
		}},
		"slow": {-50, 1000, 1, inf, func(t float64) (f, slope float64) {
			return math.Pow(1-t, 9), -9 * math.Pow(1-t, 8)
		}},
		"quick": {0, 1000, 7, 2, func(t float64) (f, slope float64) { return 7 - t, -1 }},
	} {
		calls := 0
		got := bracketed(c.lo, c.hi, c.lo, func(t float64) (f, slope float64) {
			calls++
			return c.f(t)
		})
		most := min(c.most, 8*(1+math.Log2((c.hi-c.lo)/(0x1p-53*c.root))))
		if !(math.Abs(got-c.root) <= 0x1p-50*c.root) || float64(calls) > most {
			t.Errorf("%s: root %v after %d calls, want %v after at most %v", name, got, calls, c.root, most)
		}
	}
}
