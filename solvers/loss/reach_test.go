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

// TestTiny: a power of two times dual variables and their radius has as much times the dual value, to the bit, however
// small it is: squares of them are below the least number.
func TestTiny(t *testing.T) {
	const small = 0x1p-600
	for name, l := range map[string]Loss[float64]{
		"smooth hinge": TopKHinge[float64]{K: 1, Smoothing: .5}, "smooth Usunier": TopKUsunier[float64]{K: 2,
			Smoothing: 3},
		"squared hinge": SquaredHinge[float64]{}, "entropy": TopKEntropy[float64]{K: 1},
	} {
		var w Workspace[float64]
		a, y := []float64{-.25, .75, -.5}, []int{1}
		want := l.Dual(a, y, 1.5, &w)
		for j := range a {
			a[j] *= small
		}
		if got := l.Dual(a, y, 1.5*small, &w); got != want*small {
			t.Errorf("%s: %v, want %v", name, got, want*small)
		}
	}
}
