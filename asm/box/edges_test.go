package box

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// few numbers of labels lead to each form of a kernel, with a last vector that is whole and one that is not.
var few = []int{1, 2, 3, 5, 8, 9, 16, 17, 26, 32, 33, 47, 48, 63, 64, 65, 81, 101, 128}

// TestSettled: from where a visit has ended, with the scores that its move leads to, the next has nothing to gain. In
// exact arithmetic q - bend x is 0 by then, or x is at the end that it pulls to; computed it is off by no more than
//
//	off = 10 u (|s| + |c| + (|a| + |delta|)/inv),
//
// x being within four roundings of a and (q - bend a) inv (see solve), delta, h delta, the new s and q being rounded
// once each, and bend x and what it is subtracted from. A label of the hinge then has off (hi - lo) at most, one of the
// squared hinge r off² + |x| off, and the sum is rounded as in solve.
func TestSettled(t *testing.T) { each(t, testSettled[float32], testSettled[float64]) }

func testSettled[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(4)
	for m := 1; m <= 130; m++ {
		v := draw[T](rng, m, 1, 1, squared)
		h := 1/v.inv - v.bend // both are powers of two
		if !squared {
			h = 1 / v.inv
		} else if h <= 0 {
			continue
		}
		prove.Tiers(func(tier cpu.Tier) {
			var w memory[T]
			w.place(v, m)
			w.visit(v)
			bound := 0.0
			for l, d := range w.delta.Data {
				a, x := math.Abs(float64(v.a[l])), math.Abs(float64(w.a.Data[l]))
				size := math.Abs(float64(v.s[l])) + math.Abs(float64(v.c[l])) + (a+math.Abs(float64(d)))/float64(v.inv)
				off := rounded[T](10) * size
				w.s.Data[l] += h * d
				if squared {
					bound += float64(v.r)*off*off + x*off
				} else {
					bound += off * float64(v.hi[l]-v.lo[l])
				}
			}
			bound *= 1 + rounded[T](m+6)
			if gap, _, _ := w.visit(v); !(math.Abs(gap) <= bound) {
				t.Fatalf("%v, m = %d: gap %v after the move, want 0 within %v", tier, m, gap, bound)
			}
		})
	}
}

// TestNaN: a score that is NaN makes no gap, in any lane.
func TestNaN(t *testing.T) { each(t, testNaN[float32], testNaN[float64]) }

func testNaN[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(5)
	for _, m := range few {
		v := draw[T](rng, m, 1, 1, squared)
		for l := range m {
			if !prove.Visits(m, l, 6) {
				continue
			}
			s := v.s[l]
			for _, nan := range []T{T(math.NaN()), T(math.Copysign(math.NaN(), -1))} {
				v.s[l] = nan
				prove.Tiers(func(tier cpu.Tier) {
					var w memory[T]
					w.place(v, l)
					gap, after, outcome := w.visit(v)
					if err := w.diff(false); err != nil || gap == gap || after != 0 || outcome != Rests {
						t.Fatalf("%v, m = %d, s[%d] is NaN: gap %v, after %v, outcome %d, %v", tier, m, l, gap, after,
							outcome, err)
					}
				})
			}
			v.s[l] = s
		}
	}
}

// TestNotFinite: whatever the scores and 1/h are, nothing moves, or the dual variables stay in their intervals.
func TestNotFinite(t *testing.T) { each(t, testNotFinite[float32], testNotFinite[float64]) }

func testNotFinite[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(6)
	hostile := []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), prove.Max[T](), -prove.Max[T](), prove.Tiny[T](),
		T(math.Copysign(0, -1)), 0}
	times := 10
	if prove.Quick() {
		times = 2
	}
	for m := 1; m <= 130; m++ {
		for range times {
			v := draw[T](rng, m, 1, 1, squared)
			for range 1 + rng.IntN(3) {
				v.s[rng.IntN(m)] = hostile[1+rng.IntN(len(hostile)-1)]
			}
			if rng.IntN(2) == 0 {
				v.inv = hostile[rng.IntN(len(hostile))]
			}
			prove.Tiers(func(tier cpu.Tier) {
				var w memory[T]
				w.place(v, m)
				gap, _, outcome := w.visit(v)
				goes := gap > v.least
				if err := w.diff(goes); err != nil || outcome == Moved && !goes {
					t.Fatalf("%v, gap %v, outcome %d: %v: %+v", tier, gap, outcome, err, *v)
				}
				for l, x := range w.a.Data {
					if !(v.lo[l] <= x && x <= v.hi[l]) {
						t.Fatalf("%v, m = %d, a[%d] = %v: %+v", tier, m, l, x, *v)
					}
				}
			})
		}
	}
}

// TestNoNorm: of an example of zeros 1/h is +Inf, its scores are 0, and the hinge takes each dual variable to its end
// at once.
func TestNoNorm(t *testing.T) { prove.Both(t, testNoNorm[float32], testNoNorm[float64]) }

func testNoNorm[T prove.Float](t *testing.T) {
	rng := prove.Rand(7)
	for m := 1; m <= 130; m++ {
		v := draw[T](rng, m, 1, 1, false)
		clear(v.s)
		v.inv = T(math.Inf(1))
		v.c[m/2] = 0 // and with this there is nothing to say: lo
		want := slices.Clone(v.lo)
		for l, c := range v.c {
			if c > 0 {
				want[l] = v.hi[l]
			}
		}
		prove.Tiers(func(tier cpu.Tier) {
			var w memory[T]
			w.place(v, m)
			w.visit(v)
			if !slices.Equal(w.a.Data, want) {
				t.Fatalf("%v, m = %d: a = %v, want %v", tier, m, w.a.Data, want)
			}
		})
	}
}

// TestStill: a visit that is not kept from it by the gap, but has nowhere to go, writes moves of 0 and rests.
func TestStill(t *testing.T) { each(t, testStill[float32], testStill[float64]) }

func testStill[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(8)
	for _, m := range few {
		v := draw[T](rng, m, 1, 1, squared)
		v.inv = 0
		v.check(t, m)
		prove.Tiers(func(tier cpu.Tier) {
			var w memory[T]
			w.place(v, m)
			_, _, outcome := w.visit(v)
			moves := slices.ContainsFunc(w.delta.Data, func(d T) bool { return d != 0 })
			if outcome != Rests || moves || !slices.Equal(w.a.Data, v.a) {
				t.Fatalf("%v, m = %d: outcome %d, delta = %v", tier, m, outcome, w.delta.Data)
			}
			for l := range m { // one label alone can go
				u := *v
				u.inv, u.s = 1, slices.Clone(v.c)
				u.s[l] -= v.c[l]
				u.a = make([]T, m)
				w.place(&u, m)
				if _, _, outcome := w.visit(&u); outcome != Moved {
					t.Fatalf("%v, m = %d: only a[%d] moves, outcome %d, delta = %v", tier, m, l, outcome, w.delta.Data)
				}
			}
		})
	}
}

// TestGuardPages visits with every array at pages without rights, those that are only read without the right to write,
// and in a visit that rests all of them.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	each(t, guardPages[float32], guardPages[float64])
}

func guardPages[T prove.Float](t *testing.T, squared bool) {
	var arenas [6]*guard.Arena
	for i := range arenas {
		arenas[i] = guard.New(t, 130*8)
	}
	rng := prove.Rand(9)
	for m := 1; m <= 130; m++ {
		v := draw[T](rng, m, 1, 1, squared)
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				for _, least := range []float64{math.Inf(1), math.Inf(-1)} {
					var x [6][]T
					for i, from := range [][]T{v.a, nil, v.s, v.c, v.lo, v.hi} {
						arenas[i].ReadOnly(t, false)
						x[i] = place(arenas[i], m)
						copy(x[i], from)
						arenas[i].ReadOnly(t, i > 1 || least > 0)
					}
					p := v.problem(x[3], x[4], x[5])
					at, faulted := guard.Fault(func() { v.kernel()(&x[0][0], &x[2][0], &x[1][0], m, p, v.inv, least) })
					if faulted {
						t.Fatalf("%v, m = %d at the %s guard page, least %v: fault at %#x", tier, m, end, least, at)
					}
				}
			}
		})
	}
	for _, a := range arenas {
		a.ReadOnly(t, false)
	}
}

// TestAllocs: a visit takes no memory, its problem included.
func TestAllocs(t *testing.T) {
	v, delta := draw[float32](prove.Rand(10), 26, 1, 1, true), make([]float32, 26)
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(10, func() {
			p := Problem[float32]{C: &v.c[0], Lo: &v.lo[0], Hi: &v.hi[0], Bend: v.bend, R: v.r}
			HingeF32(&v.a[0], &v.s[0], &delta[0], 26, &p, v.inv, math.Inf(1))
			SquaredF32(&v.a[0], &v.s[0], &delta[0], 26, &p, v.inv, v.least)
		}); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}
