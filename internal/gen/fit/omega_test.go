package fit

import (
	"math"
	"testing"
)

// TestOmega holds the first approximation to 1/64, where the steps that follow start.
func TestOmega(t *testing.T) {
	o := NewOmega()
	poly := func(c []float64, x float64) (sum float64) {
		for i := len(c) - 1; i >= 0; i-- {
			sum = sum*x + c[i]
		}
		return sum
	}
	most := 0.0
	for w := 1e-12; w < 1e12; w *= 1.001 {
		z := w + math.Log(w)
		var got float64
		if z < 1 {
			n := min(0, math.RoundToEven(z/math.Ln2))
			u := math.Ldexp(poly(o.Exp, z-n*math.Ln2), int(n))
			got = u * (1 + o.Up*u) / (1 + o.Down[0]*u + o.Down[1]*u*u)
		} else {
			m, e := math.Frexp(z)
			got = z - (poly(o.Log, 2*m)+float64(e-1)*math.Ln2)*z/(1+z)
		}
		if miss := math.Abs(got-w) / w; miss > most {
			most = miss
			if miss > 1.0/64 {
				t.Errorf("z = %v: %v, want %v", z, got, w)
			}
		}
	}
	t.Logf("at most %v", most)
}
