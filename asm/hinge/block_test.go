package hinge

import (
	"math"
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

func lowerOf[T prove.Float](x []T, most T) (sum float64) {
	switch x := any(x).(type) {
	case []float32:
		return LowerF32(first(x), len(x), float32(most))
	case []float64:
		return LowerF64(first(x), len(x), float64(most))
	}
	return 0
}

func moveOf[T prove.Float](a, x, delta []T) (sum float64, moved int) {
	switch x := any(x).(type) {
	case []float32:
		return MoveF32(first(any(a).([]float32)), first(x), first(any(delta).([]float32)), len(x))
	case []float64:
		return MoveF64(first(any(a).([]float64)), first(x), first(any(delta).([]float64)), len(x))
	}
	return 0, 0
}

func sumOf[T prove.Float](x []T) (sum float64) {
	switch x := any(x).(type) {
	case []float32:
		return SumF32(first(x), len(x))
	case []float64:
		return SumF64(first(x), len(x))
	}
	return 0
}

// targetOf has the constants margin, inv, rho and sum in c.
func targetOf[T prove.Float](b, a, s []T, c [4]T) {
	switch b := any(b).(type) {
	case []float32:
		TargetF32(first(b), first(any(a).([]float32)), first(any(s).([]float32)), len(b), float32(c[0]), float32(c[1]),
			float32(c[2]), float32(c[3]))
	case []float64:
		TargetF64(first(b), first(any(a).([]float64)), first(any(s).([]float64)), len(b), float64(c[0]), float64(c[1]),
			float64(c[2]), float64(c[3]))
	}
}

func first[T any](x []T) *T {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

// block makes up numbers: small integers, whose sums have no rounding, or any, or special ones among them.
func block[T prove.Float](n, kind int, seed uint64) []T {
	rng := prove.Rand(seed)
	x := make([]T, n)
	for j := range x {
		switch {
		case kind == 0:
			x[j] = T(rng.IntN(9) - 4)
		case kind == 2 && rng.IntN(9) == 0:
			x[j] = []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), prove.Max[T](), prove.Tiny[T](),
				T(math.Copysign(0, -1))}[rng.IntN(6)]
		default:
			x[j] = T(rng.NormFloat64())
		}
	}
	return x
}

// near reports whether a sum of x is within rounding, (n+3) 2^-53 Σ|x|, of what it is in another order. Of NaN and of
// infinities of both signs it is NaN. With one infinity it is that, or NaN where the others overflow the other way.
func near[T prove.Float](got, want float64, x []T) bool {
	size, above, below := 0.0, false, false
	for _, v := range x {
		size += math.Abs(float64(v))
		above, below = above || !(float64(v) < math.Inf(1)), below || !(float64(v) > math.Inf(-1))
	}
	switch {
	case above && below:
		return got != got
	case above:
		return !(got < math.Inf(1))
	case below:
		return !(got > math.Inf(-1))
	case size-size != 0:
		return true // a sum that overflows in one order and not in another
	}
	return math.Abs(got-want) <= float64(len(x)+3)*0x1p-53*size
}

// TestBlock: every tier lowers and moves as the formulas say, to the bit, and sums within rounding, between poison, for
// every length and place.
func TestBlock(t *testing.T) { prove.Both(t, testBlock[float32], testBlock[float64]) }

func testBlock[T prove.Float](t *testing.T) {
	for n := range 131 {
		for kind := range 3 {
			x, a := block[T](n, kind, uint64(3*n+kind)), block[T](n, kind, uint64(1000+3*n+kind))
			if kind == 0 && n%3 == 0 { // nothing moves
				for j, v := range x {
					a[j] = -v
				}
			}
			prove.Tiers(func(tier cpu.Tier) {
				checkLower(t, tier, x, T(n%3), n)
				checkMove(t, tier, a, x, n)
				checkTarget(t, tier, a, x, [4]T{1, 1 / T(n%5+3), T(n%4) / 3, T(n) / 7}, n)
			})
		}
	}
}

func checkLower[T prove.Float](t *testing.T, tier cpu.Tier, x []T, most T, place int) {
	t.Helper()
	n := len(x)
	var m prove.Memory[T]
	m.Place(place%16, 1, n, n, func(i int) T { return x[i] })
	want, sum := m.Want(), 0.0
	for j, v := range x {
		if v > most {
			want[j] = most
		}
		sum += float64(want[j])
	}
	if got := lowerOf(m.Data, most); !near(got, sum, want) {
		t.Fatalf("%v, n = %d: sum %v, want %v of %v", tier, n, got, sum, x)
	}
	if err := m.Diff(false); err != nil {
		t.Fatalf("%v, n = %d, most %v: %v", tier, n, most, err)
	}
	if got := sumOf(m.Data); !near(got, sum, want) {
		t.Fatalf("%v, n = %d: sum %v, want %v of %v", tier, n, got, sum, want)
	}
}

// checkTarget rounds after every operation: every tier has these bits.
func checkTarget[T prove.Float](t *testing.T, tier cpu.Tier, a, s []T, c [4]T, place int) {
	t.Helper()
	n := len(a)
	var mb, ma, ms prove.Memory[T]
	ma.Place(place%16, 1, n, n, func(i int) T { return a[i] })
	ms.Place(place*3%16, 1, n, n, func(i int) T { return s[i] })
	mb.Place(place*5%16, 1, n, n, func(int) T { return 7 })
	for j := range n {
		scaled, old := T((s[j]+c[0])*c[1]), T(c[2]*a[j])
		mb.Want()[j] = T(scaled-old) + c[3]
	}
	targetOf(mb.Data, ma.Data, ms.Data, c)
	for name, err := range map[string]error{"b": mb.Diff(false), "a": ma.Diff(false), "s": ms.Diff(false)} {
		if err != nil {
			t.Fatalf("%v, n = %d, %v: %s: %v", tier, n, c, name, err)
		}
	}
}

func checkMove[T prove.Float](t *testing.T, tier cpu.Tier, a, x []T, place int) {
	t.Helper()
	n := len(x)
	var ma, mx, md prove.Memory[T]
	ma.Place(place%16, 1, n, n, func(i int) T { return a[i] })
	mx.Place(place*3%16, 1, n, n, func(i int) T { return x[i] })
	md.Place(place*5%16, 1, n, n, func(int) T { return 7 })
	sum, moved := 0.0, 0
	for j, v := range x {
		ma.Want()[j], md.Want()[j] = -v, -v-a[j]
		sum += float64(v)
		if -v != a[j] {
			moved = 1
		}
	}
	got, did := moveOf(ma.Data, mx.Data, md.Data)
	if did != moved || !near(got, sum, x) {
		t.Fatalf("%v, n = %d: %v, %d, want %v, %d of %v, %v", tier, n, got, did, sum, moved, a, x)
	}
	for name, err := range map[string]error{"a": ma.Diff(false), "x": mx.Diff(false), "delta": md.Diff(false)} {
		if err != nil {
			t.Fatalf("%v, n = %d: %s: %v", tier, n, name, err)
		}
	}
}

// TestMoveOne: one number that moves is seen wherever it is.
func TestMoveOne(t *testing.T) { prove.Both(t, testMoveOne[float32], testMoveOne[float64]) }

func testMoveOne[T prove.Float](t *testing.T) {
	for n := 1; n <= 70; n++ {
		a, x, delta := make([]T, n), make([]T, n), make([]T, n)
		prove.Tiers(func(tier cpu.Tier) {
			for at := range n {
				for _, step := range []T{1, prove.Tiny[T](), T(math.NaN())} {
					clear(a)
					x[at] = step
					_, moved := moveOf(a, x, delta)
					clear(x)
					if _, still := moveOf(a, x, delta); moved != 1 || still != 1 {
						t.Fatalf("%v, n = %d: %d, %d where %v moves at %d and back", tier, n, moved, still, step, at)
					}
					if _, still := moveOf(a, x, delta); still != 0 {
						t.Fatalf("%v, n = %d: moved where nothing does", tier, n)
					}
				}
			}
		})
	}
}

// TestBlockMemory: every array at pages without rights, x of a move without the right to write; no memory is taken.
func TestBlockMemory(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, testBlockMemory[float32], testBlockMemory[float64])
}

func testBlockMemory[T prove.Float](t *testing.T) {
	duals, values, moves := guard.New(t, 131*8), guard.New(t, 131*8), guard.New(t, 131*8)
	for n := 1; n <= 130; n++ {
		for end, place := range map[string]func(*guard.Arena, int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
			a, delta := place(duals, n), place(moves, n)
			values.ReadOnly(t, true)
			x := place(values, n)
			prove.Tiers(func(tier cpu.Tier) {
				at, faulted := guard.Fault(func() {
					moveOf(a, x, delta)
					lowerOf(a, 1)
					sumOf(x)
					targetOf(delta, a, x, [4]T{1, 1, 1, 1})
				})
				if faulted {
					t.Fatalf("%v, n = %d at the %s guard page: fault at %#x", tier, n, end, at)
				}
				if allocs := prove.Allocs(2, func() {
					moveOf(a, x, delta)
					lowerOf(a, 1+T(sumOf(x)))
					targetOf(delta, a, x, [4]T{1, 1, 1, 1})
				}); n == 100 && allocs != 0 {
					t.Errorf("%v: %v allocations", tier, allocs)
				}
			})
			values.ReadOnly(t, false)
		}
	}
}
