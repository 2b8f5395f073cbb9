package sparse

import (
	"math"
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestMaxIndex puts the largest at every place, a negative one among them, at both ends of memory that may be read.
func TestMaxIndex(t *testing.T) {
	emulated := os.Getenv("DUALGAP_QEMU_X86") == "1" // reads whole vectors for masked loads
	var arena *guard.Arena
	if !emulated && guard.Supported {
		arena = guard.New(t, 4096)
	}
	prove.Tiers(func(tier cpu.Tier) {
		for n := range 150 {
			places := []([]int32){make([]int32, n)}
			if arena != nil {
				places = append(places, guard.Head[int32](arena, n), guard.Tail[int32](arena, n))
			}
			for _, idx := range places {
				for k := range idx {
					idx[k] = int32(k * 7 % 100)
				}
				for k := range idx {
					for _, v := range []int32{1000, math.MaxInt32, -1, math.MinInt32} {
						old := idx[k]
						idx[k] = v
						if got := MaxIndex(ptr(idx), n); got != uint32(v) {
							t.Fatalf("%v: the largest of %v is %d, want %d", tier, idx, got, uint32(v))
						}
						idx[k] = old
					}
				}
				want := uint32(0)
				for _, j := range idx {
					want = max(want, uint32(j))
				}
				if got := MaxIndex(ptr(idx), n); got != want {
					t.Fatalf("%v: the largest of %v is %d, want %d", tier, idx, got, want)
				}
			}
		}
	})
}
