package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestArgLong: a vector in parts has the same extrema.
func TestArgLong(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 3; n < 40; n++ {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.IntN(6))
			if r.IntN(3*n) == 0 {
				x[i] = float32(math.NaN())
			}
		}
		for part := 1; part < n; part++ {
			if got, want := argLong(x, part, true), ArgMax(x); got != want {
				t.Errorf("ArgMax by %d is %d, want %d: %v", part, got, want, x)
			}
			if got, want := argLong(x, part, false), ArgMin(x); got != want {
				t.Errorf("ArgMin by %d is %d, want %d: %v", part, got, want, x)
			}
		}
	}
}
