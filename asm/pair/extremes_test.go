package pair

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

type extremes struct {
	least float64
	at    int
	most  float64
}

// TestExtremes: every tier finds what a search by sorting would: of small integers, many of them equal, and of any
// numbers, NaN and infinities among them.
func TestExtremes(t *testing.T) {
	rng := prove.Rand(5)
	for i, n := range lengths() {
		for j := range 16 {
			number := rng.NormFloat64
			if j%2 == 0 {
				number = func() float64 { return float64(rng.IntN(5) - 2) }
			}
			var f, x prove.Memory[float64]
			f.Place((i+j)%16, 1, n, n, func(int) float64 {
				if rng.IntN(20) == 0 {
					return []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
				}
				return number()
			})
			x.Place(7*j%16, 1, n, n, func(int) float64 {
				if rng.IntN(20) == 0 {
					return math.NaN()
				}
				return number()
			})
			p, lo, hi := number(), number(), number()
			want := extremes{math.Inf(1), -1, math.Inf(-1)}
			for l := n - 1; l >= 0; l-- { // from the other end than the twin
				g := f.Data[l] + float64(p*x.Data[l])
				if x.Data[l] < hi && g <= want.least && g < math.Inf(1) {
					want.least, want.at = g, l
				}
				if x.Data[l] > lo && g >= want.most {
					want.most = g
				}
			}
			prove.Tiers(func(tier cpu.Tier) {
				var got extremes
				got.least, got.at, got.most = ExtremesF64(pointer(f.Data), pointer(x.Data), n, p, lo, hi)
				if got != want {
					t.Fatalf("%v, n = %d: %+v, want %+v: p %v, lo %v, hi %v, f %v, x %v", tier, n, got, want, p, lo, hi,
						f.Data, x.Data)
				}
			})
		}
	}
}

// TestExtremesSides: a bound itself is on neither side, and what comes behind the last, where x and f are 0, on none.
func TestExtremesSides(t *testing.T) {
	for n := 1; n <= 40; n++ {
		f, x := make([]float64, n), make([]float64, n)
		for at := range n {
			for l := range n {
				f[l], x[l] = float64(10+l%3), 2
			}
			x[at] = 1
			prove.Tiers(func(tier cpu.Tier) {
				for _, c := range []struct {
					lo, hi float64
					want   extremes
				}{
					{5, -5, extremes{math.Inf(1), -1, math.Inf(-1)}},
					{2, 1, extremes{math.Inf(1), -1, math.Inf(-1)}},
					{2, 2, extremes{f[at] + 1, at, math.Inf(-1)}},
				} {
					var got extremes
					got.least, got.at, got.most = ExtremesF64(&f[0], &x[0], n, 1, c.lo, c.hi)
					if got != c.want {
						t.Fatalf("%v, n = %d, x[%d] = 1, lo %v, hi %v: %+v, want %+v", tier, n, at, c.lo, c.hi, got,
							c.want)
					}
				}
				for l := range n {
					f[l] = float64(-10 - l%3)
				}
				if _, _, most := ExtremesF64(&f[0], &x[0], n, 0, -1, 5); most != -10 {
					t.Fatalf("%v, n = %d: the largest is %v, want -10", tier, n, most)
				}
				for l := range n {
					f[l] = float64(10 + l%3)
				}
			})
		}
	}
}
