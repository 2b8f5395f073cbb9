package loss

import (
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
