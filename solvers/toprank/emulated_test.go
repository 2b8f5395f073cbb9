package toprank

import (
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestEmulated is a short training with each method and loss, on dense and on sparse examples and with a kernel: what
// runs of this package where an emulator makes everything slow.
func TestEmulated(t *testing.T) { prove.Both(t, testEmulated[float32], testEmulated[float64]) }

func testEmulated[T vec.Float](t *testing.T) {
	for _, p := range some(24) {
		honest(t, p, problemsOf[T](t, p)["kernel"], solve(t, problemsOf[T](t, p)["kernel"], configOf(p)))
		p = linearOf(p)
		for _, form := range []string{"dense", "sparse"} {
			q := problemsOf[T](t, p)[form]
			honest(t, p, q, solve(t, q, configOf(p)))
		}
	}
}
