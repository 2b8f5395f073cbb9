package math

import (
	"encoding/binary"
	"math"
	"math/big"
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// omegaUnits is the relative error that omegasum may have, in units of rounding: see omega.
const omegaUnits = 4

// omegaError returns the relative error of w as omega(z): an error e of w makes w + log w - z wrong by (1+w) e. What is
// not normal is wrong by less than its last bit.
func omegaError(z, w float64) float64 {
	switch {
	case z != z || z > 0x1p1000:
		if !prove.Same(w, z) {
			return math.Inf(1)
		}
		return 0
	case z < -708:
		exact, _ := bigExp(bigNumber(max(z, -1000))).Float64()
		if math.Abs(w-exact) <= 0x1p-1074+omegaUnits*0x1p-53*exact {
			return 0
		}
		return math.Inf(1)
	case !(w > 0):
		return math.Inf(1)
	}
	miss := new(big.Float).SetPrec(oracleBits).Add(bigNumber(w), bigLog(w))
	m, _ := miss.Sub(miss, bigNumber(z)).Float64()
	return math.Abs(m) / (1 + w)
}

// hardOmega lists the neighbours of where the power of 2 and the way change, and special numbers.
func hardOmega() (z []float64) {
	for i := -1160; i < 64; i++ {
		z = append(z, neighbours(float64(i)*math.Ln2/2)...)
	}
	for e := -1070; e < 1020; e += 7 {
		z = append(z, neighbours(math.Ldexp(1, e))...)
		z = append(z, neighbours(-math.Ldexp(1, e))...)
	}
	for _, v := range []float64{1, 4, 0x1p60, -800, -708, -745.13321, -746} {
		z = append(z, neighbours(v)...)
	}
	return append(z, 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
		5e-324)
}

// omegaArgument draws arguments of many sizes, some of them hard.
func omegaArgument(seed uint64) func(int) float64 {
	r, hard := prove.Rand(seed), hardOmega()
	return func(int) float64 {
		switch r.IntN(20) {
		case 0:
			return hard[r.IntN(len(hard))]
		case 1:
			return 800 * (2*r.Float64() - 1)
		case 2:
			return math.Copysign(math.Exp(80*r.Float64()-40), r.Float64()-0.5)
		}
		return 10 * r.NormFloat64()
	}
}

// TestOmega holds every tier to the relative error of the comment.
func TestOmega(t *testing.T) {
	z, from := hardOmega(), omegaArgument(1)
	n, step := 40000, 1.01
	if testing.Short() {
		n = 3000
	}
	if prove.Quick() {
		n, step = 600, 1.05
	}
	for i := range n {
		z = append(z, from(i))
	}
	for w := 1e-3; w < 1e20; w *= step {
		z = append(z, w+math.Log(w))
	}
	w := make([]float64, len(z))
	prove.Tiers(func(tier cpu.Tier) {
		var sums [2]float64
		OmegaSumF64(0, 1, ptr(z), ptr(w), &sums[0], len(z))
		worst, at := 0.0, 0.0
		for i, v := range w {
			if e := omegaError(z[i], v); !(e <= worst) {
				worst, at = e, z[i]
			}
		}
		t.Logf("%v: at most %.3f units, at %v", tier, worst*0x1p53, at)
		if !(worst <= omegaUnits*0x1p-53) {
			t.Errorf("%v: omega(%v) has a relative error of %.3f units", tier, at, worst*0x1p53)
		}
	})
}

// TestOmegaSum: a result depends on its argument alone, wherever it stands among others; the sums are within the bound
// of a sum of n terms, where terms of the slope may be wrong by eight units. All lengths and alignments, y apart from x
// and the same, poison around.
func TestOmegaSum(t *testing.T) {
	from := omegaArgument(2)
	finite := func(i int) float64 {
		for {
			if v := from(i); v < 0x1p900 {
				return v
			}
		}
	}
	const shift, scale = 1.25, 0.75
	var x, y, sums prove.Memory[float64]
	for _, n := range lengths() {
		for at := range 8 {
			if n > 40 && at != n%8 {
				continue
			}
			x.Place(at, 1, n, n, finite)
			y.Place((3*at+n)%16, 1, n, n, func(int) float64 { return prove.Poison[float64]() })
			sums.Place(at, 1, 2, 2, func(int) float64 { return prove.Poison[float64]() })
			prove.Tiers(func(tier cpu.Tier) {
				x.Reset()
				y.Reset()
				sums.Reset()
				want := y.Want()
				var sum prove.Sum[float64]
				sum.Reset()
				slope := bigNumber(0)
				for i, v := range x.Data {
					z, alone := (v-shift)*scale, [2]float64{}
					OmegaSumF64(0, 1, &z, &want[i], &alone[0], 1)
					if alone[0] != want[i] {
						t.Fatalf("omegasum on %v: the sum of %v is %v", tier, want[i], alone[0])
					}
					sum.Add(want[i], 1, 1)
					w := bigNumber(want[i])
					slope.Add(slope, w.Quo(w, bigNumber(0).Add(w, bigNumber(1))))
				}
				OmegaSumF64(shift, scale, ptr(x.Data), ptr(y.Data), ptr(sums.Data), n)
				if err := sum.Check(sums.Data[0]); err != nil {
					t.Fatalf("omegasum on %v, n=%d: %v", tier, n, err)
				}
				exact, _ := slope.Float64()
				if e := math.Abs(sums.Data[1] - exact); !(e <= float64(n+8)*0x1p-53*exact+float64(n)*0x1p-1074) {
					t.Fatalf("omegasum on %v, n=%d: slope %v, want %v", tier, n, sums.Data[1], exact)
				}
				copy(sums.Want(), sums.Data)
				for _, m := range []*prove.Memory[float64]{&x, &y, &sums} {
					if err := m.Diff(false); err != nil {
						t.Fatalf("omegasum on %v, n=%d: %v", tier, n, err)
					}
				}
				copy(x.Want(), y.Data)
				OmegaSumF64(shift, scale, ptr(x.Data), ptr(x.Data), ptr(sums.Data), n)
				for _, m := range []*prove.Memory[float64]{&x, &sums} {
					if err := m.Diff(false); err != nil {
						t.Fatalf("omegasum on %v, n=%d, in place: %v", tier, n, err)
					}
				}
				x.Reset()
				copy(x.Want(), x.Data)
			})
		}
	}
}

// TestOmegaSpecial puts what spoils a sum, and what vanishes in it, at every place among omega(1) = 1.
func TestOmegaSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for n := 1; n < 40; n++ {
		x, y, sums := make([]float64, n), make([]float64, n), make([]float64, 2)
		for i := range x {
			x[i] = 1
		}
		rest := float64(n - 1)
		for p := range x {
			for _, c := range []struct{ v, w, sum, slope float64 }{
				{inf, inf, inf, rest/2 + 1}, {-inf, 0, rest, rest / 2}, {nan, nan, nan, rest/2 + 1},
				{-1e300, 0, rest, rest / 2}, {-745, 5e-324, rest + 5e-324, rest/2 + 5e-324},
			} {
				x[p] = c.v
				prove.Tiers(func(tier cpu.Tier) {
					OmegaSumF64(0, 1, ptr(x), ptr(y), ptr(sums), n)
					if !prove.Same(y[p], c.w) || !prove.Same(sums[0], c.sum) || sums[1] != c.slope {
						t.Fatalf("omegasum on %v: %v at %d of %d: %v, sums %v, want %+v", tier, c.v, p, n, y[p], sums,
							c)
					}
				})
				x[p] = 1
			}
		}
	}
}

// TestOmegaGuardPages lets x and y lie between pages without rights, x without the right to write.
func TestOmegaGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	xs, ys, ss := guard.New(t, 8*8192), guard.New(t, 8*8192), guard.New(t, 8*8192)
	from := omegaArgument(3)
	for _, n := range lengths() {
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []float64{"lower": guard.Head[float64], "upper": guard.Tail[float64]} {
				xs.ReadOnly(t, false)
				x, y, sums := place(xs, n), place(ys, n), place(ss, 2)
				for i := range x {
					x[i] = from(i)
				}
				xs.ReadOnly(t, true)
				if at, faulted := guard.Fault(func() { OmegaSumF64(2, 1, ptr(x), ptr(y), ptr(sums), n) }); faulted {
					t.Fatalf("omegasum on %v: n=%d at the %s guard page: fault at %#x", tier, n, end, at)
				}
			}
		})
	}
	xs.ReadOnly(t, false)
}

func TestOmegaAllocations(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(100, func() {
			var x, y [26]float64
			var sums [2]float64
			OmegaSumF64(0, 1, &x[0], &y[0], &sums[0], len(x))
		}); n != 0 {
			t.Errorf("omegasum on %v: %v allocations", tier, n)
		}
	})
}

// FuzzOmega compares every tier with the exact result, and with what it gives for one argument alone.
func FuzzOmega(f *testing.F) {
	f.Add([]byte("numbers of all sizes, and some more of them"))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x7f, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 1, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0,
		0x48, 0x87, 0xc0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var x []float64
		for ; len(data) >= 8 && len(x) < 100; data = data[8:] {
			x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		y := make([]float64, len(x))
		prove.Tiers(func(tier cpu.Tier) {
			var sums [2]float64
			OmegaSumF64(0, 1, ptr(x), ptr(y), &sums[0], len(x))
			for i, v := range x {
				if e := omegaError(v, y[i]); !(e <= omegaUnits*0x1p-53) {
					t.Errorf("omegasum on %v: omega(%v) = %v, wrong by %v units", tier, v, y[i], e*0x1p53)
				}
				var w float64
				if OmegaSumF64(0, 1, &x[i], &w, &sums[0], 1); !prove.Same(w, y[i]) {
					t.Errorf("omegasum on %v: omega(%v) = %v, alone %v", tier, v, y[i], w)
				}
			}
		})
	})
}

func BenchmarkOmegaSum(b *testing.B) {
	for _, n := range []int{10, 26, 101, 1000} {
		b.Run("n="+string(big.NewInt(int64(n)).Append(nil, 10)), func(b *testing.B) {
			x, y, sums, r := make([]float64, n), make([]float64, n), make([]float64, 2), prove.Rand(1)
			for i := range x {
				x[i] = 4 * r.NormFloat64()
			}
			for b.Loop() {
				OmegaSumF64(0, 1, ptr(x), ptr(y), ptr(sums), n)
			}
		})
	}
}
