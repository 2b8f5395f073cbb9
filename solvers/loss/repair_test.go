package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestRepair: a block that is outside by a millionth of r is moved into the domain, and not by much more.
func TestRepair(t *testing.T) {
	trials(33, 2000, func(rng *rand.Rand, c trial[float64]) {
		near, far := wide(c.a), 0.0
		for j, v := range near {
			near[j] = v*(1+1e-6) + 1e-6*c.r*(2*rng.Float64()-1)
			far += math.Abs(near[j] - v)
		}
		a := wide(near)
		c.Repair(a, c.y, c.r, c.w)
		m := float64(len(a))
		if d := c.outside(a, c.y, c.r); !(d <= 1e-14*m) {
			t.Fatalf("%v: %v is repaired to %v, outside by %g", c, near, a, d)
		}
		vec.Axpy(-1, c.a, a)
		// The worst is the cap of the cone: each of up to k-1 entries at it is lowered by up to k times what they are
		// above, 2 far at most (see settle), and a_y by the sum.
		if d := vec.AbsSum(a); !(d <= 4*m*m*far) {
			t.Fatalf("%v: %v, apart by %g in all, is repaired to a block apart by %g", c, near, far, d)
		}
	})
}
