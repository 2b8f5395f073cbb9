package mkl

import (
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestEmulated is a short training at p near 1, between and at 2, with each loss: what runs of this
// package where an emulator makes everything slow.
func TestEmulated(t *testing.T) { prove.Both(t, testEmulated[float32], testEmulated[float64]) }

func testEmulated[T vec.Float](t *testing.T) {
	p := views[T](t, 12, 24, 3)
	for _, c := range []Config{{P: 1.05, C: 1}, {P: 1.5, C: 1, K: 2}, {P: 2, C: 1, K: 2, Loss: TopKUsunier}} {
		c.Tol = 1e-3
		honest(t, p, c, fit(t, p, c))
	}
}
