package blas

import (
	"math"
	"math/big"
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// rotation is one call of Rots: m rotations of n columns, in memory with poison around; the rows from the last one up
// when upwards.
type rotation[T float] struct {
	m, n, gap int
	upwards   bool
	c, s, a   prove.Memory[T]
}

func (r *rotation[T]) place(offset int, coefficient, element func(i int) T) {
	r.c.Place(offset%5, 1, r.m, r.m, coefficient)
	r.s.Place(offset%7, 1, r.m, r.m, coefficient)
	r.a.Place(offset, r.m+1, r.n, r.n+r.gap, element)
}

// call runs the kernel on the given memory, and expect the loop of its doc comment on what it should become.
func (r *rotation[T]) call(c, s, a []T) {
	rots, lda := prove.Pick[T, func(m, n int, c, s, a *T, lda int)](RotsF32, RotsF64), r.n+r.gap
	if r.upwards && len(a) > 0 {
		a, lda = a[r.m*lda:], -lda
	}
	rots(r.m, r.n, ptr(c), ptr(s), ptr(a), lda)
}

func (r *rotation[T]) expect() {
	a, lda, first := r.a.Want(), r.n+r.gap, 0
	if r.upwards {
		first, lda = r.m*lda, -lda
	}
	for i := range r.m {
		for j := range r.n {
			p, q := first+i*lda+j, first+(i+1)*lda+j
			x, y := a[p], a[q]
			a[p], a[q] = T(r.c.Data[i]*x)+T(r.s.Data[i]*y), T(r.c.Data[i]*y)-T(r.s.Data[i]*x)
		}
	}
}

func (r *rotation[T]) diff(t *testing.T, tier cpu.Tier) {
	t.Helper()
	for i, mem := range []*prove.Memory[T]{&r.c, &r.s, &r.a} {
		if err := mem.Diff(false); err != nil {
			t.Fatalf("%v: m=%d n=%d gap=%d upwards=%t: %c: %v", tier, r.m, r.n, r.gap, r.upwards, "csa"[i], err)
		}
	}
}

// TestRotsExact: few rotations by small integers of small integers have one result, and so do zeros of both signs, NaN,
// infinities and denormals among them.
func TestRotsExact(t *testing.T) { prove.Both(t, rotsExact[float32], rotsExact[float64]) }

func rotsExact[T float](t *testing.T) {
	rand := prove.Rand(1)
	small := func(int) T { return T(rand.IntN(5) - 2) }
	special := []T{0, T(math.Copysign(0, -1)), T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), prove.Tiny[T](),
		-3 * prove.Tiny[T]()}
	some := func(i int) T {
		if rand.IntN(4) == 0 {
			return special[rand.IntN(len(special))]
		}
		return small(i)
	}
	var r rotation[T]
	for n := range 140 {
		for m := range 8 {
			for i, element := range []func(int) T{prove.Odd[T](rand), some} {
				r.m, r.n, r.gap, r.upwards = m, n, []int{0, 1, 5, 16}[rand.IntN(4)], rand.IntN(2) == 0
				r.place((n+m+i)%16, small, element)
				r.expect()
				prove.Tiers(func(tier cpu.Tier) {
					r.a.Reset()
					r.call(r.c.Data, r.s.Data, r.a.Data)
					r.diff(t, tier)
				})
			}
		}
	}
}

// TestRotsRounding: a rotation rounds each element three times at most, which costs a column at most 3 sqrt(2) u of its
// length, and the rotations after it keep that length.
func TestRotsRounding(t *testing.T) { prove.Both(t, rotsRounding[float32], rotsRounding[float64]) }

func rotsRounding[T float](t *testing.T) {
	rand := prove.Rand(2)
	var r rotation[T]
	for _, size := range [][2]int{{1, 1}, {2, 40}, {5, 17}, {30, 9}, {100, 3}, {300, 1}} {
		r.m, r.n, r.gap, r.upwards = size[0], size[1], 3, false
		r.place(3, func(int) T { return 0 }, prove.Draw[T]("decades", rand))
		for i := range r.m {
			sin, cos := math.Sincos(7 * rand.Float64())
			r.c.Data[i], r.s.Data[i] = T(cos), T(sin)
		}
		want := exactRots(r.m, r.n, r.c.Data, r.s.Data, r.a.Data, r.n+r.gap)
		prove.Tiers(func(tier cpu.Tier) {
			r.a.Reset()
			r.call(r.c.Data, r.s.Data, r.a.Data)
			for j := range r.n {
				length := 0.0
				for i := range r.m + 1 {
					length = math.Hypot(length, want[i][j])
				}
				for i := range r.m + 1 {
					bound := 3 * math.Sqrt2 * float64(r.m) * prove.Unit[T]() * 1.001 * length // c² + s² is rounded too
					if err := math.Abs(float64(r.a.Data[i*(r.n+r.gap)+j]) - want[i][j]); !(err <= bound) {
						t.Fatalf("%v: m=%d: element (%d, %d) off by %g, bound %g", tier, r.m, i, j, err, bound)
					}
				}
			}
		})
	}
}

// exactRots computes with 200 bits.
func exactRots[T float](m, n int, c, s, a []T, lda int) [][]float64 {
	exact := func(v T) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(float64(v)) }
	mul := func(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(200).Mul(x, y) }
	out := make([][]float64, m+1)
	for i := range out {
		out[i] = make([]float64, n)
	}
	for j := range n {
		x := exact(a[j])
		for i := range m {
			y, ci, si := exact(a[(i+1)*lda+j]), exact(c[i]), exact(s[i])
			cx, sy, cy, sx := mul(ci, x), mul(si, y), mul(ci, y), mul(si, x)
			out[i][j], _ = cx.Add(cx, sy).Float64()
			x = cy.Sub(cy, sx)
		}
		out[m][j], _ = x.Float64()
	}
	return out
}

// TestRotsGuardPages: the matrix and the coefficients directly behind and directly before pages without rights, and the
// coefficients without the right to write.
func TestRotsGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, rotsGuardPages[float32], rotsGuardPages[float64])
}

func rotsGuardPages[T float](t *testing.T) {
	rand := prove.Rand(3)
	cs, ss, as := guard.New(t, 4096), guard.New(t, 4096), guard.New(t, 8*8192)
	var r rotation[T]
	for n := range 100 {
		r.m, r.n, r.gap, r.upwards = n%6, n, n%3, n%2 == 0
		r.place(0, func(int) T { return T(rand.IntN(5) - 2) }, prove.Odd[T](rand))
		r.expect()
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				arg := func(arena *guard.Arena, from *prove.Memory[T]) []T {
					arena.ReadOnly(t, false)
					p := place(arena, len(from.Data))
					copy(p, from.Data)
					return p
				}
				r.a.Reset()
				c, s, a := arg(cs, &r.c), arg(ss, &r.s), arg(as, &r.a)
				cs.ReadOnly(t, true)
				ss.ReadOnly(t, true)
				if at, faulted := guard.Fault(func() { r.call(c, s, a) }); faulted {
					t.Fatalf("%v: m=%d n=%d at the %s guard page: fault at %#x", tier, r.m, r.n, end, at)
				}
				for i := range r.a.Elements {
					if want := r.a.Want()[i]; a[i] != want {
						t.Fatalf("%v: m=%d n=%d at the %s guard page: element %d is %v, want %v", tier, r.m, r.n, end,
							i, a[i], want)
					}
				}
			}
		})
	}
	cs.ReadOnly(t, false)
	ss.ReadOnly(t, false)
}

func FuzzRots(f *testing.F) {
	f.Add(uint8(3), uint8(17), uint8(1), true, uint64(5))
	f.Fuzz(func(t *testing.T, m, n, gap uint8, upwards bool, seed uint64) {
		fuzzRots[float32](t, int(m%8), int(n), int(gap%20), upwards, seed)
		fuzzRots[float64](t, int(m%8), int(n), int(gap%20), upwards, seed)
	})
}

func fuzzRots[T float](t *testing.T, m, n, gap int, upwards bool, seed uint64) {
	rand := prove.Rand(seed)
	r := rotation[T]{m: m, n: n, gap: gap, upwards: upwards}
	r.place(rand.IntN(16), func(int) T { return T(rand.IntN(5) - 2) }, prove.Odd[T](rand))
	r.expect()
	prove.Tiers(func(tier cpu.Tier) {
		r.a.Reset()
		r.call(r.c.Data, r.s.Data, r.a.Data)
		r.diff(t, tier)
	})
}
