package loss

import (
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestInner: numbers that sum to inner(r) sum to r at most when each grows by half of unit, as rounding to T may do.
func TestInner(t *testing.T) { prove.Both(t, testInner[float32], testInner[float64]) }

func testInner[T float32 | float64](t *testing.T) {
	for _, r := range []float64{1e-20, .1, 1. / 3, 1, 12345.678, 1e20} {
		if v := float64(inner[T](r)); !(v <= r*(1-unit[T]()/2) && v >= r*(1-4*unit[T]())) {
			t.Errorf("inner(%v) = %v", r, v)
		}
	}
}

// TestSettleFarOutside: numbers whose sum is far above r are scaled down first, and then no element is above its share.
func TestSettleFarOutside(t *testing.T) {
	for _, cone := range []bool{false, true} {
		x := []float64{2, 1, 1, 0}
		settle(x, 3, 1, 2, cone)
		sum := x[0] + x[1] + x[2] + x[3]
		limit := 1. / 3
		if cone {
			limit = sum / 3
		}
		if !(sum <= 1+0x1p-49 && sum >= .5 && slices.Max(x) <= limit*(1+0x1p-49)) {
			t.Errorf("cone %v: %v, whose sum is %v", cone, x, sum)
		}
	}
}
