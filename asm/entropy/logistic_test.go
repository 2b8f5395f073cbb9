package entropy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// labels is an example for the logistic loss of each label.
type labels[T prove.Float] struct {
	a, s           []T
	t, weight      []float64
	h, term, least float64
}

// drawLabels makes up an example: scores of the given size, weights about 1, h of the given size, dual variables at
// either end of their interval, near to it, and between.
func drawLabels[T prove.Float](rng *rand.Rand, m int, size, h float64) *labels[T] {
	v := &labels[T]{a: make([]T, m), s: make([]T, m), t: make([]float64, m), weight: make([]float64, m), h: h,
		term: rng.Float64(), least: math.Inf(-1)}
	for l := range m {
		v.t[l] = float64(1 - 2*rng.IntN(2))
		v.weight[l] = math.Exp(rng.NormFloat64())
		v.s[l] = T(size * rng.NormFloat64())
		x := v.weight[l] * []float64{0, 1, rng.Float64(), math.Exp(-40 * rng.Float64()),
			1 / (1 + math.Exp(v.t[l]*float64(v.s[l])))}[rng.IntN(5)]
		v.a[l] = T(v.t[l] * min(float64(T(x)), v.most(l)))
	}
	return v
}

// most is the largest number of T that is not above the weight of label l.
func (v *labels[T]) most(l int) float64 {
	x := T(v.weight[l])
	if float64(x) > v.weight[l] {
		return float64(math.Nextafter32(float32(x), 0))
	}
	return float64(x)
}

// fill sets the rows of u, whose last three may be anything.
func (v *labels[T]) fill(u []float64) {
	m, n := len(v.a), room(len(v.a))
	clear(u[:4*n])
	for l := range m {
		u[l], u[n+l], u[2*n+l], u[3*n+l] = v.t[l], v.weight[l], 1/v.weight[l], v.most(l)
	}
}

type logisticOf[T prove.Float] func(a, s, delta *T, u *float64, m int, h, term, least float64) (gap, after float64,
	outcome int)

func logisticKernel[T prove.Float]() logisticOf[T] {
	return prove.Pick[T, logisticOf[T]](logisticOf[float32](LogisticF32), logisticOf[float64](LogisticF64))
}

// labelMemory is where a visit takes place: every array between poison.
type labelMemory[T prove.Float] struct {
	a, s, delta prove.Memory[T]
	u           prove.Memory[float64]
}

func (w *labelMemory[T]) visit(v *labels[T], at int) (gap, after float64, outcome int) {
	m := len(v.a)
	rows := make([]float64, LogisticRows*room(m))
	for i := range rows {
		rows[i] = prove.Poison[float64]()
	}
	v.fill(rows)
	w.a.Place(at%16, 1, m, m, func(i int) T { return v.a[i] })
	w.s.Place((at+5)%16, 1, m, m, func(i int) T { return v.s[i] })
	w.delta.Place((at+3)%16, 1, m, m, func(int) T { return prove.Poison[T]() })
	w.u.Place(at%8, 1, len(rows), len(rows), func(i int) float64 { return rows[i] })
	return logisticKernel[T]()(&w.a.Data[0], &w.s.Data[0], &w.delta.Data[0], &w.u.Data[0], m, v.h, v.term, v.least)
}

// diff finds what has changed beside the kernel's own rows, and unless it rests the dual variables and the moves.
func (w *labelMemory[T]) diff(rests bool) error {
	if !rests {
		copy(w.a.Want(), w.a.Data)
		copy(w.delta.Want(), w.delta.Data)
	}
	own := 4 * room(len(w.a.Data))
	copy(w.u.Want()[own:], w.u.Data[own:])
	for _, x := range []*prove.Memory[T]{&w.a, &w.s, &w.delta} {
		if err := x.Diff(false); err != nil {
			return err
		}
	}
	return w.u.Diff(false)
}

// gap is what the gap is, and what it may differ by: e^-|z| is wrong by 2^-52 of it, its logarithm by 2^-50 as a test
// of package fit says, and a sum of 2m+1 terms by as many roundings of their sizes.
func (v *labels[T]) gap() (gap, bound float64) {
	gap = -v.term
	size := math.Abs(v.term)
	for l, s := range v.s {
		z := -v.t[l] * float64(s)
		loss := v.weight[l] * (max(0, z) + math.Log1p(math.Exp(-math.Abs(z))))
		dot := float64(v.a[l]) * float64(s)
		gap += loss + dot
		size += loss + math.Abs(dot)
		bound += 0x1p-49 * loss
	}
	return gap, bound + float64(4*len(v.s)+4)*0x1p-53*size
}

// solve finds the q of label l, and its w, by bisection: F grows.
func (v *labels[T]) solve(l int) (q, w, z, old float64, upper bool) {
	weight, c := v.weight[l], v.h*v.weight[l]
	x := math.Abs(float64(v.a[l]))
	z, old = v.t[l]*float64(v.s[l]), x/weight
	if upper = -z+c*(old-.5) > 0; upper {
		z, old = -z, (weight-x)/weight
	}
	low, high := 0.0, 1+math.Abs(z)+c
	for range 200 {
		w = (low + high) / 2
		if w-z-c*(1/(1+math.Exp(w))-old) < 0 {
			low = w
		} else {
			high = w
		}
	}
	e := math.Exp(-w)
	return e / (1 + e), w, z, old, upper
}

// check compares every tier with the solution. The residual F is a difference of numbers that are rounded a few times
// each, 2^-50 of their sizes together; with the half of near³ that Halley's last step leaves out this is the error of
// w, and the relative one of q. Then x is rounded, which near the upper end counts in full.
func (v *labels[T]) check(t *testing.T, at int) {
	t.Helper()
	m, near := len(v.a), nearLogistic[T]()
	want, gapBound := v.gap()
	var w labelMemory[T]
	prove.Tiers(func(tier cpu.Tier) {
		gap, after, outcome := w.visit(v, at)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("%v, m = %d, h = %v: %s", tier, m, v.h, fmt.Sprintf(format, args...))
		}
		rests := !(gap > v.least)
		if !(math.Abs(gap-want) <= gapBound) {
			fail("gap %v, want %v within %v", gap, want, gapBound)
		}
		if err := w.diff(rests); err != nil {
			fail("%v", err)
		}
		if rests {
			if outcome != Rests || after != 0 {
				fail("rests: outcome %d, after %v", outcome, after)
			}
			return
		}
		sum, sumBound, moved := 0.0, 0.0, Rests
		for l, a := range w.a.Data {
			q, dist, z, old, upper := v.solve(l)
			weight, c := v.weight[l], v.h*v.weight[l]
			x := v.t[l] * float64(a)
			if !(0 <= x && x <= v.most(l)) {
				fail("x = %v of label %d, at most %v", x, l, v.most(l))
			}
			got := x / weight
			if upper {
				got = (weight - x) / weight
			}
			off := 0x1p-50*(1+math.Abs(z)+dist+c*(q+old))/(1+c*q*(1-q)) + near*near*near/2
			bound := q*(math.Expm1(off)+prove.Unit[T]()) + 2*float64(prove.Tiny[T]())/weight + 0x1p-1070
			if upper {
				bound += 2 * prove.Unit[T]()
			}
			if !(math.Abs(got-q) <= bound) {
				fail("label %d, a = %v, s = %v, t = %v, weight %v: q = %v, want %v within %g", l, v.a[l], v.s[l],
					v.t[l], weight, got, q, bound)
			}
			if d := T(float64(a) - float64(v.a[l])); w.delta.Data[l] != d {
				fail("delta[%d] = %v, want %v", l, w.delta.Data[l], d)
			}
			if a != v.a[l] {
				moved = Moved
			}
			if got > 0 {
				sum -= weight * (got*math.Log(got) + (1-got)*math.Log1p(-got))
			}
			// Halley's error counts by its square, the rounding of x by w.
			sumBound += weight * (2*prove.Unit[T]()*(1+dist) + off*off)
		}
		if bound := sumBound + float64(m)*0x1p-52*sum; !(math.Abs(after-sum) <= bound) {
			fail("after %v, want %v within %g", after, sum, bound)
		}
		if outcome != moved {
			fail("outcome %d, want %d", outcome, moved)
		}
	})
}

// TestLogistic: all numbers of labels, at all alignments, scores and h over decades.
func TestLogistic(t *testing.T) { prove.Both(t, testLogistic[float32], testLogistic[float64]) }

func testLogistic[T prove.Float](t *testing.T) {
	rng := prove.Rand(11)
	for m := 1; m <= 70; m++ {
		if testing.Short() && m > 20 && m%7 > 0 {
			continue
		}
		for i := range 16 {
			size, h := math.Exp(2*rng.NormFloat64()), math.Exp(3*rng.NormFloat64())
			drawLabels[T](rng, m, size, h).check(t, i)
		}
	}
	drawLabels[T](rng, 1000, 3, 3).check(t, 0)
}

// TestLogisticLeast: at the gap itself nothing is written, below it the visit goes on.
func TestLogisticLeast(t *testing.T) {
	prove.Both(t, testLogisticLeast[float32], testLogisticLeast[float64])
}

func testLogisticLeast[T prove.Float](t *testing.T) {
	rng := prove.Rand(12)
	for m := 1; m <= 40; m++ {
		v := drawLabels[T](rng, m, 1, 1)
		prove.Tiers(func(tier cpu.Tier) {
			var w labelMemory[T]
			v := *v
			gap, _, _ := w.visit(&v, m)
			for _, least := range []float64{gap, math.NaN(), math.Inf(1), math.Nextafter(gap, math.Inf(-1))} {
				v.least = least
				_, after, outcome := w.visit(&v, m)
				goes := gap > least
				if err := w.diff(!goes); err != nil {
					t.Fatalf("%v, m = %d, least %v of a gap %v: %v", tier, m, least, gap, err)
				}
				if !goes && (after != 0 || outcome != Rests) || goes && outcome != Moved {
					t.Fatalf("%v, m = %d, least %v of a gap %v: outcome %d, after %v", tier, m, least, gap, outcome,
						after)
				}
			}
		})
	}
}

// TestLogisticAlone: what becomes of a label does not depend, to the bit, on the others and on its place.
func TestLogisticAlone(t *testing.T) {
	prove.Both(t, testLogisticAlone[float32], testLogisticAlone[float64])
}

func testLogisticAlone[T prove.Float](t *testing.T) {
	rng := prove.Rand(13)
	for m := 1; m <= 40; m++ {
		v := drawLabels[T](rng, m, 3, math.Exp(2*rng.NormFloat64()))
		prove.Tiers(func(tier cpu.Tier) {
			var all, one labelMemory[T]
			all.visit(v, m)
			for l := range m {
				one.visit(&labels[T]{a: v.a[l:][:1], s: v.s[l:][:1], t: v.t[l:][:1], weight: v.weight[l:][:1], h: v.h,
					least: math.Inf(-1)}, l)
				if prove.Bits(one.a.Data[0]) != prove.Bits(all.a.Data[l]) {
					t.Fatalf("%v, m = %d: a[%d] = %v, alone %v", tier, m, l, all.a.Data[l], one.a.Data[0])
				}
			}
		})
	}
}

// TestLogisticNotFinite: whatever scores and h are, a visit ends, and either it rests, for NaN always, or all dual
// variables are in their intervals.
func TestLogisticNotFinite(t *testing.T) {
	prove.Both(t, testLogisticNotFinite[float32], testLogisticNotFinite[float64])
}

func testLogisticNotFinite[T prove.Float](t *testing.T) {
	rng := prove.Rand(14)
	inf, most := T(math.Inf(1)), prove.Max[T]()
	hostile := []T{T(math.NaN()), inf, -inf, most, -most, prove.Tiny[T](), -prove.Tiny[T](), T(math.Copysign(0, -1)), 0}
	for m := 1; m <= 40; m++ {
		for range 40 {
			v := drawLabels[T](rng, m, 1, math.Exp(30*rng.NormFloat64()))
			nan := false
			for range 1 + rng.IntN(3) {
				v.s[rng.IntN(m)] = hostile[rng.IntN(len(hostile))]
			}
			for _, s := range v.s {
				nan = nan || s != s
			}
			prove.Tiers(func(tier cpu.Tier) {
				var w labelMemory[T]
				gap, _, outcome := w.visit(v, m)
				if nan != math.IsNaN(gap) && nan || math.IsNaN(gap) && outcome != Rests {
					t.Fatalf("%v, m = %d, s = %v: gap %v, outcome %d", tier, m, v.s, gap, outcome)
				}
				if err := w.diff(math.IsNaN(gap)); err != nil {
					t.Fatalf("%v, m = %d, s = %v: %v", tier, m, v.s, err)
				}
				for l, a := range w.a.Data {
					if x := v.t[l] * float64(a); !(0 <= x && x <= v.most(l)) {
						t.Fatalf("%v, m = %d, h = %v: x = %v of label %d at s = %v, at most %v", tier, m, v.h, x, l,
							v.s[l], v.most(l))
					}
				}
			})
		}
	}
}

// TestLogisticGuardPages visits with every argument at pages without rights, the scores without the right to write.
func TestLogisticGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, logisticGuardPages[float32], logisticGuardPages[float64])
}

func logisticGuardPages[T prove.Float](t *testing.T) {
	const most = 200
	duals, scores, moves := guard.New(t, most*8), guard.New(t, most*8), guard.New(t, most*8)
	scratch, rng := guard.New(t, LogisticRows*most*8), prove.Rand(15)
	for m := 1; m <= 70; m++ {
		v := drawLabels[T](rng, m, 2, 2)
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				scores.ReadOnly(t, false)
				a, s, delta := place(duals, m), place(scores, m), place(moves, m)
				u := guard.Tail[float64](scratch, LogisticRows*room(m))
				if end == "lower" {
					u = guard.Head[float64](scratch, LogisticRows*room(m))
				}
				copy(a, v.a)
				copy(s, v.s)
				v.fill(u)
				scores.ReadOnly(t, true)
				at, faulted := guard.Fault(func() {
					logisticKernel[T]()(&a[0], &s[0], &delta[0], &u[0], m, v.h, v.term, v.least)
				})
				if faulted {
					t.Fatalf("%v, m = %d at the %s guard page: fault at %#x", tier, m, end, at)
				}
			}
		})
	}
	scores.ReadOnly(t, false)
}

// TestLogisticAllocs: a visit takes no memory.
func TestLogisticAllocs(t *testing.T) {
	v := drawLabels[float32](prove.Rand(16), 22, 1, 1)
	a, delta, u := slices.Clone(v.a), make([]float32, 22), make([]float64, LogisticRows*room(22))
	v.fill(u)
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(10, func() {
			LogisticF32(&a[0], &v.s[0], &delta[0], &u[0], 22, v.h, v.term, v.least)
		}); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}

// FuzzLogistic draws visits of any number of labels, any size of scores and of h.
func FuzzLogistic(f *testing.F) {
	f.Add(uint64(1), uint8(16), 1.0, 1.0)
	f.Add(uint64(2), uint8(101), 30.0, 100.0)
	f.Fuzz(func(t *testing.T, seed uint64, m uint8, size, h float64) {
		if !(math.Abs(size) < 1e3) || !(1e-9 < h && h < 1e4) {
			t.Skip("numbers beyond what training leads to are for TestLogisticNotFinite")
		}
		drawLabels[float32](prove.Rand(seed), 1+int(m), size, h).check(t, int(seed%16))
		drawLabels[float64](prove.Rand(seed), 1+int(m), size, h).check(t, int(seed%16))
	})
}
