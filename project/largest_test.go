package project

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestLargestSorted: the k largest elements and those above a threshold behind them are the same numbers on every tier,
// whether w.largest sorts or inserts, with ties and infinities, and a NaN is seen wherever it is.
func TestLargestSorted(t *testing.T) { prove.Both(t, largestSorted[float32], largestSorted[float64]) }

func largestSorted[T vec.Float](t *testing.T) {
	r := prove.Rand(3)
	for n := 1; n <= 300; n += 1 + n/20 {
		a := make([]T, n)
		for i := range a {
			a[i] = T(r.IntN(n) - n/2) // with ties
			if r.IntN(20) == 0 {
				a[i] = T(math.Inf(-1))
			}
		}
		for _, k := range []int{1, 2, 5, 16, 24, 30, n} {
			if k > n {
				continue
			}
			want := slices.Clone(a)
			slices.Sort(want)
			slices.Reverse(want)
			c, low := float64(want[k-1]), float64(n)/4
			if c-c != 0 {
				continue
			}
			prove.Tiers(func(tier cpu.Tier) {
				w := newWorkspace[T]()
				v, ok := w.largest(a, k)
				for j, x := range v {
					if !ok || x != float64(want[j]) || len(v) != k {
						t.Fatalf("%v, n = %d, k = %d: %v, %v of %v", tier, n, k, v, ok, a)
					}
					v[j] -= c
				}
				v = w.others(v, a, c, -low)
				slices.Sort(v[k:])
				slices.Reverse(v[k:])
				for j, x := range want {
					above, there := float64(x)-c > -low, j < len(v)
					if above != there && j >= k || there && v[j] != float64(x)-c {
						t.Fatalf("%v, n = %d, k = %d: %v of %v", tier, n, k, v, want)
					}
				}
				old := a[n/3]
				a[n/3] = T(math.NaN())
				if _, ok := w.largest(a, k); ok {
					t.Fatalf("%v, n = %d, k = %d: no NaN seen in %v", tier, n, k, a)
				}
				a[n/3] = old
			})
		}
	}
}
