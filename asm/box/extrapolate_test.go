package box

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

type extrapolateOf[T prove.Float] func(w, last *T, n int, beta T) (before, after float64)

func extrapolate[T prove.Float]() extrapolateOf[T] {
	return prove.Pick[T, extrapolateOf[T]](extrapolateOf[float32](ExtrapolateF32),
		extrapolateOf[float64](ExtrapolateF64))
}

// beyond is v + beta (v - last), each operation rounded once to T, by numbers of 400 bits.
func beyond[T prove.Float](v, last, beta T) T {
	round := func(x *big.Float) *big.Float {
		if prove.IsF32[T]() {
			f, _ := x.Float32()
			return number(float64(f))
		}
		return number(toFloat(x))
	}
	step := round(times(number(float64(beta)), round(minus(number(float64(v)), number(float64(last))))))
	x := T(toFloat(round(plus(number(float64(v)), step))))
	if x == 0 { // whose sign these numbers do not know
		x = v + beta*(v-last)
	}
	return x
}

// weights are what a test draws: now, and what they were last.
type weights[T prove.Float] struct{ now, last []T }

func drawWeights[T prove.Float](rng *rand.Rand, n int, size float64) weights[T] {
	w := weights[T]{make([]T, n), make([]T, n)}
	for j := range n {
		w.now[j] = T(size * rng.NormFloat64() * math.Exp(rng.NormFloat64()))
		w.last[j] = w.now[j] * T(1+.1*rng.NormFloat64())
	}
	return w
}

// check compares each tier with the formula. A square of T is rounded once in float64, or, of a float32, never; a sum
// of n of them meets n more roundings, and no term is negative.
func (w *weights[T]) check(t *testing.T, at int, beta T) {
	t.Helper()
	n := len(w.now)
	before, after := number(0), number(0)
	var now, last prove.Memory[T]
	prove.Tiers(func(tier cpu.Tier) {
		now.Place(at%16, 1, n, n, func(j int) T { return w.now[j] })
		last.Place((at+5)%16, 1, n, n, func(j int) T { return w.last[j] })
		if before.Sign() == 0 {
			for _, v := range w.now {
				before.Add(before, times(number(float64(v)), number(float64(v))))
			}
		}
		after.SetInt64(0)
		for j, v := range w.now {
			x := beyond(v, w.last[j], beta)
			now.Want()[j], last.Want()[j] = x, v
			after.Add(after, times(number(float64(x)), number(float64(x))))
		}
		gotBefore, gotAfter := extrapolate[T]()(&now.Data[0], &last.Data[0], n, beta)
		for _, x := range []*prove.Memory[T]{&now, &last} {
			if err := x.Diff(false); err != nil {
				t.Fatalf("%v, n = %d, beta = %v: %v", tier, n, beta, err)
			}
		}
		for _, sum := range []struct {
			got  float64
			want *big.Float
		}{{gotBefore, before}, {gotAfter, after}} {
			bound := rounded[float64](n+1)*toFloat(sum.want) + float64(n)*math.SmallestNonzeroFloat64
			if off := number(0).Abs(minus(number(sum.got), sum.want)); !(off.Cmp(number(bound)) <= 0) {
				t.Fatalf("%v, n = %d: sum of squares %v, want %v within %v", tier, n, sum.got, toFloat(sum.want), bound)
			}
		}
	})
}

// TestExtrapolate: all lengths, at all alignments, numbers of all sizes.
func TestExtrapolate(t *testing.T) { prove.Both(t, testExtrapolate[float32], testExtrapolate[float64]) }

func testExtrapolate[T prove.Float](t *testing.T) {
	rng := prove.Rand(21)
	small := prove.Pick[T, float64](0x1p-140, 0x1p-1060) // denormal
	for n := 1; n <= 130; n++ {
		for i, size := range []float64{1, math.Exp(4 * rng.NormFloat64()), small} {
			if !prove.Visits(n, i, 3) {
				continue
			}
			w := drawWeights[T](rng, n, size)
			w.check(t, n+7*i, T(rng.Float64()))
		}
	}
	for at := range 16 {
		w := drawWeights[T](rng, 40+at, 1)
		w.check(t, at, .75)
	}
	w := drawWeights[T](rng, 1000, 1)
	w.check(t, 3, 0)
}

// TestExtrapolateNothing: without numbers there is nothing to read.
func TestExtrapolateNothing(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		if before, after := ExtrapolateF32(nil, nil, 0, 1); before != 0 || after != 0 {
			t.Errorf("%v: sums of %v and %v", tier, before, after)
		}
		if before, after := ExtrapolateF64(nil, nil, 0, 1); before != 0 || after != 0 {
			t.Errorf("%v: sums of %v and %v", tier, before, after)
		}
	})
}

// hostileNumbers are what no training leads to, and 0 of either sign.
func hostileNumbers[T prove.Float]() []T {
	return []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), prove.Max[T](), -prove.Max[T](), prove.Tiny[T](),
		-prove.Tiny[T](), T(math.Copysign(0, -1)), 0, 1}
}

// TestExtrapolateHostile: each tier does with every pair of hostile numbers, in every lane, what the twin does.
func TestExtrapolateHostile(t *testing.T) {
	prove.Both(t, testExtrapolateHostile[float32], testExtrapolateHostile[float64])
}

func testExtrapolateHostile[T prove.Float](t *testing.T) {
	hostile := hostileNumbers[T]()
	n := len(hostile) * len(hostile)
	w := weights[T]{}
	for q := range n {
		w.now, w.last = append(w.now, hostile[q/len(hostile)]), append(w.last, hostile[q%len(hostile)])
	}
	for _, beta := range []T{.5, 0, T(math.NaN())} {
		for from := range 32 {
			now, last := slices.Clone(w.now[from:]), slices.Clone(w.last[from:])
			extrapolateGeneric(&now[0], &last[0], n-from, beta)
			prove.Tiers(func(tier cpu.Tier) {
				got, gotLast := slices.Clone(w.now[from:]), slices.Clone(w.last[from:])
				extrapolate[T]()(&got[0], &gotLast[0], n-from, beta)
				for q := range got {
					if !prove.Same(got[q], now[q]) || !prove.Same(gotLast[q], last[q]) {
						t.Fatalf("%v: %v after %v, beta %v: %v, %v, want %v, %v", tier, w.now[from+q], w.last[from+q],
							beta, got[q], gotLast[q], now[q], last[q])
					}
				}
			})
		}
	}
}

// TestExtrapolateGuardPages has both arrays at pages without rights.
func TestExtrapolateGuardPages(t *testing.T) {
	skipOnQEMU(t)
	prove.Both(t, extrapolateGuardPages[float32], extrapolateGuardPages[float64])
}

// skipOnQEMU leaves out what the emulator of amd64 does not do as a CPU does.
func skipOnQEMU(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
}

func extrapolateGuardPages[T prove.Float](t *testing.T) {
	arenas := [2]*guard.Arena{guard.New(t, 130*8), guard.New(t, 130*8)}
	for n := 1; n <= 130; n++ {
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				now, last := place(arenas[0], n), place(arenas[1], n)
				at, faulted := guard.Fault(func() { extrapolate[T]()(&now[0], &last[0], n, .5) })
				if faulted {
					t.Fatalf("%v, n = %d at the %s guard page: fault at %#x", tier, n, end, at)
				}
			}
		})
	}
}

// TestExtrapolateAllocs: neither kernel takes memory.
func TestExtrapolateAllocs(t *testing.T) {
	w, moved := drawWeights[float32](prove.Rand(22), 26, 1), make([]uint8, 2)
	free, most := make([]float32, 13), make([]float32, 13)
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(10, func() {
			ExtrapolateF32(&w.now[0], &w.last[0], 26, .5)
			ExtrapolateRowsF32(&w.now[0], &w.last[0], &free[0], 13, 13, 13, 2, .5, &most[0], &moved[0])
		}); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}

// FuzzExtrapolate draws weights of any number and size, and blocks.
func FuzzExtrapolate(f *testing.F) {
	f.Add(uint64(1), uint8(21), uint8(3), 1.0, .5)
	f.Add(uint64(2), uint8(100), uint8(7), 1e-6, .9)
	f.Fuzz(func(t *testing.T, seed uint64, m, n uint8, size, beta float64) {
		size = math.Abs(size)
		if !(size < 1e9) || !(math.Abs(beta) <= 1) {
			t.Skip("other numbers are for TestExtrapolateHostile")
		}
		rng, at := prove.Rand(seed), int(seed%16)
		single, double := drawWeights[float32](rng, 1+int(m), size), drawWeights[float64](rng, 1+int(m), size)
		single.check(t, at, float32(beta))
		double.check(t, at, beta)
		drawBlocks[float32](rng, 1+int(m), int(n), size).check(t, at, float32(beta))
		drawBlocks[float64](rng, 1+int(m), int(n), size).check(t, at, beta)
	})
}
