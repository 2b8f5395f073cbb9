package loss

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestLargest: each way to the largest scores finds them, with ties and where the true class has the largest score, and
// allocates nothing.
func TestLargest(t *testing.T) { prove.Both(t, testLargest[float32], testLargest[float64]) }

func testLargest[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	prove.Tiers(func(tier cpu.Tier) {
		var w Workspace[T]
		for _, m := range []int{2, 3, 10, 17, 26, 101, 256, 257, 258, 700} {
			for _, k := range []int{1, 2, 5, 20, m - 1} {
				for _, y := range []int{0, m / 2, m - 1} {
					if k >= m {
						continue
					}
					s := draw[T](rng, m, 3)
					s[rng.IntN(m)] = s[rng.IntN(m)]
					s[y] = 100
					others := slices.Concat(s[:y], s[y+1:])
					slices.Sort(others)
					slices.Reverse(others)
					before := slices.Clone(s)
					if got := largest(s, y, k, &w); !slices.Equal(got, others[:k]) {
						t.Errorf("%v: %d of %d without %d: %v, want %v", tier, k, m, y, got, others[:k])
					}
					if !slices.Equal(s, before) {
						t.Errorf("%v: %d of %d: the scores changed", tier, k, m)
					}
				}
			}
		}
		s := draw[T](rng, 300, 3)
		if n := prove.Allocs(20, func() { largest(s[:200], 7, 5, &w); largest(s, 7, 5, &w) }); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}
