package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestReach: a little less than Reach is in the domain and a little more is not, from a block of another radius.
func TestReach(t *testing.T) {
	unbounded := map[string]bool{}
	trials(31, 2000, func(rng *rand.Rand, c trial[float64]) {
		m, r := float64(len(c.a)), c.r*math.Exp(3*rng.NormFloat64())
		times := func(t float64) []float64 {
			b := make([]float64, len(c.a))
			for j, v := range c.a {
				b[j] = t * v
			}
			return b
		}
		if vec.AbsSum(c.a) <= 1e-14*m*c.r {
			return // 0, or what rounding made of it
		}
		reach := c.Reach(c.a, c.y, r)
		if math.IsInf(reach, 1) {
			unbounded[c.Traits().Name] = true
			if d := c.outside(times(1e6), c.y, r); d > 0 {
				t.Fatalf("%v: 1e6 a is outside by %g, yet Reach for r = %v is %v", c, d, r, reach)
			}
			return
		}
		if d := c.outside(times(reach*(1-1e-12)), c.y, r); !(d <= 1e-14*m) {
			t.Fatalf("%v: %v a is outside for r = %v by %g", c, reach, r, d)
		}
		// A sum or an entry beyond its bound r, r/K or r/|Y| by 1e-6 of that.
		if d := c.outside(times(reach*(1+1e-6)), c.y, r); !(d >= 0.99e-6/m) {
			t.Fatalf("%v: more than %v a is outside for r = %v by %g only", c, reach, r, d)
		}
	})
	for _, e := range entries[float64](1) {
		name := e.Traits().Name
		if got, want := unbounded[name], e.outside([]float64{1e9, -1e9}, []int{0}, 1) <= 0; got != want {
			t.Errorf("%s: without bound %t, want %t", name, got, want)
		}
		if reach := e.Reach(make([]float64, 3), []int{1}, 1); !math.IsInf(reach, 1) {
			t.Errorf("%s: Reach of 0 is %v", name, reach)
		}
	}
}
