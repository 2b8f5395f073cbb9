package box

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// memory is where a visit takes place: every array between poison.
type memory[T prove.Float] struct{ a, s, delta, c, lo, hi prove.Memory[T] }

func (w *memory[T]) all() []*prove.Memory[T] {
	return []*prove.Memory[T]{&w.a, &w.s, &w.delta, &w.c, &w.lo, &w.hi}
}

func (w *memory[T]) place(v *visit[T], at int) {
	m := len(v.a)
	for i, x := range [][]T{v.a, v.s, nil, v.c, v.lo, v.hi} {
		w.all()[i].Place((at+i*5)%16, 1, m, m, func(j int) T {
			if x == nil {
				return prove.Poison[T]()
			}
			return x[j]
		})
	}
}

func (w *memory[T]) visit(v *visit[T]) (gap, after float64, outcome int) {
	p := v.problem(w.c.Data, w.lo.Data, w.hi.Data)
	return v.kernel()(&w.a.Data[0], &w.s.Data[0], &w.delta.Data[0], len(v.a), p, v.inv, v.least)
}

// diff finds what has changed beside the dual variables and the moves, or if moves is false beside nothing.
func (w *memory[T]) diff(moves bool) error {
	if moves {
		copy(w.a.Want(), w.a.Data)
		copy(w.delta.Want(), w.delta.Data)
	}
	for _, x := range w.all() {
		if err := x.Diff(false); err != nil {
			return err
		}
	}
	return nil
}

// check compares every tier with the solution. After is a sum of m products of numbers that are known, rounded once
// each for the product, the sum, and in the squared hinge for c - bend/2 x.
func (v *visit[T]) check(t *testing.T, at int) {
	t.Helper()
	m, want := len(v.a), v.solve()
	var w memory[T]
	prove.Tiers(func(tier cpu.Tier) {
		w.place(v, at)
		gap, after, outcome := w.visit(v)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%v, m = %d, squared %v: "+format, append([]any{tier, m, v.squared}, args...)...)
			t.Fatalf("%+v\n-> %v, %v, %v\na = %v\ndelta = %v", *v, gap, after, outcome, w.a.Data, w.delta.Data)
		}
		if !(math.Abs(gap-want.gap) <= want.gapBound) {
			fail("gap %v, want %v within %v", gap, want.gap, want.gapBound)
		}
		rests := !(gap > v.least)
		if err := w.diff(!rests); err != nil {
			fail("%v", err)
		}
		if rests {
			if outcome != Rests || after != 0 {
				fail("rests: outcome %d, after %v", outcome, after)
			}
			return
		}
		sum, size, moved := number(0), 0.0, Rests
		for l, x := range w.a.Data {
			if !(math.Abs(float64(x)-want.x[l]) <= want.xBound[l]) || !(v.lo[l] <= x && x <= v.hi[l]) {
				fail("a[%d] = %v, want %v within %v", l, x, want.x[l], want.xBound[l])
			}
			if d := x - v.a[l]; prove.Bits(w.delta.Data[l]) != prove.Bits(d) {
				fail("delta[%d] = %v, want %v", l, w.delta.Data[l], d)
			} else if d != 0 {
				moved = Moved
			}
			c := number(float64(v.c[l]))
			if v.squared {
				bend := times(number(0.5*float64(v.bend)), number(float64(x)))
				size += math.Abs(float64(x) * toFloat(bend))
				c = minus(c, bend)
			}
			sum = plus(sum, times(c, number(float64(x))))
			size += math.Abs(float64(x) * float64(v.c[l]))
		}
		if outcome != moved {
			fail("outcome %d, want %d", outcome, moved)
		}
		bound := rounded[T](m+3)*size + float64(m)*4*float64(prove.Tiny[T]())
		if off := number(0).Abs(minus(number(after), sum)); !(off.Cmp(big.NewFloat(bound)) <= 0) {
			fail("after %v, want %v within %v", after, toFloat(sum), bound)
		}
	})
}

// each runs a test for both kernels and types.
func each(t *testing.T, f32 func(t *testing.T, squared bool), f64 func(t *testing.T, squared bool)) {
	for name, squared := range map[string]bool{"hinge": false, "squared": true} {
		t.Run(name, func(t *testing.T) {
			prove.Both(t, func(t *testing.T) { f32(t, squared) }, func(t *testing.T) { f64(t, squared) })
		})
	}
}

// TestVisit: all numbers of labels, at all alignments, numbers of all sizes.
func TestVisit(t *testing.T) { each(t, testVisit[float32], testVisit[float64]) }

func testVisit[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(1)
	sizes := slices.Concat(few, []int{257, 1000})
	for m := 1; m <= 130 && !testing.Short(); m++ {
		sizes = append(sizes, m, m, m)
	}
	for m := 1; m <= 40; m++ {
		sizes = append(sizes, m)
	}
	small := prove.Pick[T, float64](0x1p-140, 0x1p-1060) // denormal
	for i, m := range sizes {
		draw[T](rng, m, 1, math.Exp(2*rng.NormFloat64()), squared).check(t, i)
		draw[T](rng, m, math.Exp(4*rng.NormFloat64()), 1, squared).check(t, i/16)
		draw[T](rng, m, 1, small, squared).check(t, i)
		draw[T](rng, m, small, small, squared).check(t, i)
	}
}

// TestAlignments: every place of a few sizes.
func TestAlignments(t *testing.T) { each(t, testAlignments[float32], testAlignments[float64]) }

func testAlignments[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(2)
	for _, m := range []int{1, 3, 8, 16, 22, 26, 40, 101} {
		v := draw[T](rng, m, 1, 1, squared)
		for at := range 16 {
			v.check(t, at)
		}
	}
}

// TestLeast: at the gap itself nothing is written, below it the visit goes on.
func TestLeast(t *testing.T) { each(t, testLeast[float32], testLeast[float64]) }

func testLeast[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(3)
	for m := 1; m <= 130; m++ {
		v := draw[T](rng, m, 1, 1, squared)
		v.least = math.Inf(1)
		v.check(t, m)
		prove.Tiers(func(tier cpu.Tier) {
			for _, p := range []struct {
				least func(gap float64) float64
				goes  bool
			}{
				{func(gap float64) float64 { return gap }, false},
				{func(gap float64) float64 { return math.NaN() }, false},
				{func(gap float64) float64 { return math.Nextafter(gap, -1) }, true},
			} {
				var w memory[T]
				w.place(v, m)
				visit := *v
				gap, _, _ := w.visit(&visit)
				visit.least = p.least(gap)
				_, after, outcome := w.visit(&visit)
				if err := w.diff(p.goes); err != nil {
					t.Fatalf("%v, m = %d, least %v of a gap %v: %v", tier, m, visit.least, gap, err)
				}
				moved := !slices.Equal(w.a.Data, v.a)
				if moved != (outcome == Moved) || !p.goes && (moved || after != 0) {
					t.Fatalf("%v, m = %d, least %v of a gap %v: outcome %d, after %v", tier, m, visit.least, gap,
						outcome, after)
				}
				if p.goes && prove.Bits(w.delta.Data[0]) == prove.Bits(prove.Poison[T]()) {
					t.Fatalf("%v, m = %d, least %v of a gap %v: no move is written", tier, m, visit.least, gap)
				}
			}
		})
	}
}

// FuzzVisit draws visits of any size and any scores.
func FuzzVisit(f *testing.F) {
	f.Add(uint64(1), uint8(21), 1.0, 1.0, false)
	f.Add(uint64(2), uint8(100), 1e6, 1e-3, true)
	f.Fuzz(func(t *testing.T, seed uint64, m uint8, size, unit float64, squared bool) {
		size, unit = math.Abs(size), math.Abs(unit)
		if !(size < 1e9) || !(unit < 1e9) {
			t.Skip("numbers beyond what training leads to are for TestNotFinite")
		}
		draw[float32](prove.Rand(seed), 1+int(m), size, unit, squared).check(t, int(seed%16))
		draw[float64](prove.Rand(seed), 1+int(m), size, unit, squared).check(t, int(seed%16))
	})
}
