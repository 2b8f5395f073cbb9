package math

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestExpSum: what is stored are the exponentials of the rounded differences, to the bit, and the sum is theirs within
// the bound of prove.Sum. Without y it is the same sum, and memory stays as it is.
func TestExpSum(t *testing.T) { prove.Both(t, expSum[float32], expSum[float64]) }

func expSum[T float](t *testing.T) {
	run := prove.Pick[T, func(shift T, x, y *T, n int) T](ExpSumF32, ExpSumF64)
	exp := kernels[T]()[0]
	from := arguments(exp, 7)
	low := func(i int) T { return min(from(i), 6) }
	var x, y prove.Memory[T]
	var exact prove.Sum[T]
	for _, n := range lengths() {
		for at := range 8 {
			if n > 40 && at != n%8 {
				continue
			}
			x.Place(at, 1, n, n, low)
			y.Place((3*at+n)%16, 1, n, n, func(int) T { return prove.Poison[T]() })
			prove.Tiers(func(tier cpu.Tier) {
				const shift = 5.7
				x.Reset()
				y.Reset()
				want := y.Want()
				for i, v := range x.Data {
					want[i] = v - shift
				}
				exp.run(0, want, want)
				exact.Reset()
				for _, v := range want {
					exact.Add(v, 1, 1)
				}
				got := run(shift, ptr(x.Data), ptr(y.Data), n)
				if err := exact.Check(got); err != nil {
					t.Fatalf("expsum on %v, n=%d: %v", tier, n, err)
				}
				for _, m := range []*prove.Memory[T]{&x, &y} {
					if err := m.Diff(false); err != nil {
						t.Fatalf("expsum on %v, n=%d: %v", tier, n, err)
					}
				}
				copy(want, x.Data)
				if alone := run(shift, ptr(x.Data), nil, n); alone != got {
					t.Fatalf("expsum on %v, n=%d: %v without y, %v with it", tier, n, alone, got)
				}
				copy(want, y.Data)
				copy(x.Want(), y.Data)
				if inPlace := run(shift, ptr(x.Data), ptr(x.Data), n); inPlace != got {
					t.Fatalf("expsum on %v, n=%d: %v in place, %v apart", tier, n, inPlace, got)
				}
				if err := x.Diff(false); err != nil {
					t.Fatalf("expsum on %v, n=%d, in place: %v", tier, n, err)
				}
				x.Reset()
				copy(x.Want(), x.Data)
			})
		}
	}
}

// TestExpSumSpecial puts what spoils a sum at every place.
func TestExpSumSpecial(t *testing.T) {
	prove.Both(t, expSumSpecial[float32], expSumSpecial[float64])
}

func expSumSpecial[T float](t *testing.T) {
	run := prove.Pick[T, func(shift T, x, y *T, n int) T](ExpSumF32, ExpSumF64)
	inf := math.Inf(1)
	for n := 1; n < 70; n++ {
		x := make([]T, n)
		for p := range x {
			for _, c := range []struct{ v, want float64 }{{inf, inf}, {-inf, float64(n - 1)}, {1e30, inf},
				{-1e30, float64(n - 1)}, {math.NaN(), math.NaN()}} {
				x[p] = T(c.v)
				prove.Tiers(func(tier cpu.Tier) {
					if got := run(0, ptr(x), nil, n); !prove.Same(got, T(c.want)) {
						t.Fatalf("expsum on %v: %v at %d of %d: got %v, want %v", tier, c.v, p, n, got, c.want)
					}
				})
				x[p] = 0
			}
		}
	}
}
