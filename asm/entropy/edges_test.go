package entropy

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestEveryTrueClass: each class of a few can be the true one, or none, at each alignment.
func TestEveryTrueClass(t *testing.T) {
	prove.Both(t, testEveryTrueClass[float32], testEveryTrueClass[float64])
}

func testEveryTrueClass[T prove.Float](t *testing.T) {
	rng := prove.Rand(2)
	for _, m := range []int{1, 2, 3, 4, 5, 8, 9, 16, 17, 41} {
		for y := -1; y < m; y++ {
			v := draw[T](rng, m, 1, 2)
			clear(v.a)
			v.y = y
			prove.Tiers(func(tier cpu.Tier) {
				var w memory[T]
				w.place(v, y+1)
				w.begin(v, w.shift())
				outcome := w.step(v)
				w.unchanged(t, tier)
				w.checkStep(t, tier, v, v.a, outcome)
			})
		}
	}
}

// TestSettled: from where a step has ended, with the scores that the move leads to, the next does not change the sum of
// p, and moves x by no more than the two steps may be wrong: see checkStep. A residual moves x by at most itself.
func TestSettled(t *testing.T) { prove.Both(t, testSettled[float32], testSettled[float64]) }

func testSettled[T prove.Float](t *testing.T) {
	rng := prove.Rand(3)
	for m := 2; m <= 70; m++ {
		v := draw[T](rng, m, 1, 1)
		v.y = rng.IntN(m)
		prove.Tiers(func(tier cpu.Tier) {
			v := *v
			for turn := range 2 {
				var w memory[T]
				w.place(&v, m)
				w.begin(&v, w.shift())
				if w.step(&v) == Refused {
					t.Fatalf("%v, m = %d: refused", tier, m)
				}
				old := v.a[v.y]
				v.a, v.s = slices.Clone(w.a.Data), slices.Clone(v.s)
				v.a[v.y] = T(w.q.Sum)
				c, most := v.h*v.r, 0.0
				for j, d := range w.delta.Data {
					if j == v.y {
						continue
					}
					most = max(most, math.Abs(float64(d)))
					v.s[j] += T(v.h) * d
				}
				v.s[v.y] += T(v.h) * (v.a[v.y] - old)
				size := 1.0
				for _, s := range v.s {
					size = max(size, math.Abs(float64(s)))
				}
				bound := v.r * (5*math.Pow(v.near, 4) + 8*prove.Unit[T]()*(size+c+1)*float64(m))
				if turn == 1 && most > bound {
					t.Fatalf("%v, m = %d: moved by %v, at most %v", tier, m, most, bound)
				}
			}
		})
	}
}

// TestNotFinite: whatever the scores are, a step ends, and either it is refused and a is what it was, or all that it
// writes is finite.
func TestNotFinite(t *testing.T) { prove.Both(t, testNotFinite[float32], testNotFinite[float64]) }

func testNotFinite[T prove.Float](t *testing.T) {
	rng := prove.Rand(5)
	inf, most := T(math.Inf(1)), prove.Max[T]()
	hostile := []T{T(math.NaN()), inf, -inf, most, -most, prove.Tiny[T](), T(math.Copysign(0, -1)), 0}
	for m := 2; m <= 40; m++ {
		for range 40 {
			v := draw[T](rng, m, 1, math.Exp(20*rng.NormFloat64()))
			nan := false
			for range 1 + rng.IntN(3) {
				s := hostile[rng.IntN(len(hostile))]
				v.s[rng.IntN(m)] = s
			}
			for _, s := range v.s {
				nan = nan || s != s
			}
			prove.Tiers(func(tier cpu.Tier) {
				var w memory[T]
				w.place(v, 0)
				shift := w.shift()
				w.begin(v, shift)
				if nan && !(math.IsNaN(w.sums[0]) && math.IsNaN(w.sums[1])) {
					t.Fatalf("%v, m = %d, s = %v: sums %v", tier, m, v.s, w.sums)
				}
				outcome := w.step(v)
				w.unchanged(t, tier)
				if outcome == Refused {
					if !slices.Equal(w.a.Data, v.a) {
						t.Fatalf("%v, m = %d, s = %v: refused, and a = %v", tier, m, v.s, w.a.Data)
					}
					return
				}
				if nan {
					t.Fatalf("%v, m = %d, s = %v: a score of NaN leads to %v", tier, m, v.s, w.a.Data)
				}
				for j, a := range w.a.Data {
					if !(a <= 0) || math.IsInf(float64(a), -1) {
						t.Fatalf("%v, m = %d, s = %v: a[%d] = %v", tier, m, v.s, j, a)
					}
				}
			})
		}
	}
}

// TestGuardPages visits with every argument at pages without rights, the scores without the right to write.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guardPages[float32], guardPages[float64])
}

func guardPages[T prove.Float](t *testing.T) {
	const most = 200
	duals, scores, moves := guard.New(t, most*8), guard.New(t, most*8), guard.New(t, most*8)
	scratch := guard.New(t, Rows*most*8)
	rng := prove.Rand(7)
	for m := 1; m <= 130; m++ {
		v := draw[T](rng, m, 1, 1)
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				scores.ReadOnly(t, false)
				a, s, delta := place(duals, m), place(scores, m), place(moves, m)
				u := guard.Tail[float64](scratch, Rows*room(m))
				if end == "lower" {
					u = guard.Head[float64](scratch, Rows*room(m))
				}
				copy(a, v.a)
				copy(s, v.s)
				scores.ReadOnly(t, true)
				c := v.h * v.r
				at, faulted := guard.Fault(func() {
					var sums [2]float64
					beginOf[T]()(&a[0], &s[0], &u[0], &sums[0], m, 0)
					q := Problem{H: v.h, Plus: c, C: c / sums[0], Total: sums[0], Top: 10, Near: v.near,
						Scale: v.r / sums[0]}
					stepOf[T]()(&a[0], &delta[0], &u[0], m, v.y, &q.H)
				})
				if faulted {
					t.Fatalf("%v, m = %d at the %s guard page: fault at %#x", tier, m, end, at)
				}
			}
		})
	}
	scores.ReadOnly(t, false)
}

// TestAllocs: a visit takes no memory.
func TestAllocs(t *testing.T) {
	v := draw[float32](prove.Rand(6), 26, 1, 1)
	a, delta, u := slices.Clone(v.a), make([]float32, 26), make([]float64, Rows*room(26))
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(10, func() {
			var sums [2]float64
			BeginF32(&a[0], &v.s[0], &u[0], &sums[0], 26, 0)
			q := Problem{H: v.h, C: v.h * v.r / sums[0], Total: sums[0], Top: 10, Near: v.near, Scale: v.r / sums[0]}
			StepF32(&a[0], &delta[0], &u[0], 26, 3, &q.H)
		}); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}

// FuzzVisit draws visits of any number of classes, any size of scores and of c.
func FuzzVisit(f *testing.F) {
	f.Add(uint64(1), uint8(26), 1.0, 1.0)
	f.Add(uint64(2), uint8(101), 30.0, 100.0)
	f.Fuzz(func(t *testing.T, seed uint64, m uint8, size, c float64) {
		if !(math.Abs(size) < 1e3) || !(1e-9 < c && c < 1e4) {
			t.Skip("numbers beyond what training leads to are for TestNotFinite")
		}
		fuzz[float32](t, seed, 1+int(m), size, c)
		fuzz[float64](t, seed, 1+int(m), size, c)
	})
}

func fuzz[T prove.Float](t *testing.T, seed uint64, m int, size, c float64) {
	v := draw[T](prove.Rand(seed), m, size, c)
	prove.Tiers(func(tier cpu.Tier) {
		var w memory[T]
		w.place(v, int(seed%16))
		w.begin(v, w.shift())
		w.checkBegin(t, tier, v, w.shift())
		outcome := w.step(v)
		w.unchanged(t, tier)
		if outcome != Refused {
			w.checkStep(t, tier, v, v.a, outcome)
		} else if !slices.Equal(w.a.Data, v.a) {
			t.Fatalf("%v, m = %d: refused, and a changed", tier, m)
		}
	})
}
