package sparse

import (
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestPrefetch: a prefetch changes nothing, whatever its length, and does not fault, not even behind the end of memory.
func TestPrefetch(t *testing.T) { prove.Both(t, prefetch[float32], prefetch[float64]) }

func prefetch[T float](t *testing.T) {
	f := prove.Pick[T, func(x *T, n int)](PrefetchF32, PrefetchF64)
	x := guard.Tail[T](guard.New(t, 4096), 300)
	for i := range x {
		x[i] = T(i)
	}
	prove.Tiers(func(tier cpu.Tier) {
		for n := range 300 {
			if at, bad := guard.Fault(func() { f(&x[300-1-n], n); f(&x[299], n) }); bad {
				t.Fatalf("%v: n=%d: fault at %#x", tier, n, at)
			}
		}
	})
	for i := range x {
		if x[i] != T(i) {
			t.Fatalf("element %d became %v", i, x[i])
		}
	}
}
