package proj

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// All kernels here but the ones of small problems have one right answer, to the bit: the oracles are the loops of their
// doc comments, and every tier, the twin included, must agree with them.

func ptr[T float](x []T) *T { return unsafe.SliceData(x) }

func maximaOf[T float]() func(m, a *T, n int) {
	return prove.Pick[T, func(m, a *T, n int)](MaximaF32, MaximaF64)
}

func aboveOf[T float]() func(dst, a *T, n int, t T) int {
	return prove.Pick[T, func(dst, a *T, n int, t T) int](AboveF32, AboveF64)
}

func clipOf[T float]() func(dst, a *T, n int, skip T, c, t, l, u float64) {
	return prove.Pick[T, func(dst, a *T, n int, skip T, c, t, l, u float64)](ClipF32, ClipF64)
}

func smallOf[T float]() func(dst, a *T, n, k, kind int, p *float64) int {
	return prove.Pick[T, func(dst, a *T, n, k, kind int, p *float64) int](SmallF32, SmallF64)
}

func wantMaxima[T float](a []T) []T {
	m := slices.Repeat([]T{T(math.Inf(-1))}, 16)
	for i, v := range a {
		if v > m[i%16] {
			m[i%16] = v
		}
	}
	return m
}

func wantAbove[T float](a []T, t T) (kept []T) {
	for _, v := range a {
		if !(v < t) {
			kept = append(kept, v)
		}
	}
	return kept
}

func wantClip[T float](a []T, c, t, l, u float64) []T {
	x := make([]T, len(a))
	for i, v := range a {
		y := float64(v) - c - t
		if y == y {
			y = min(max(y, l), u)
		}
		x[i] = T(y)
	}
	return x
}

func same[T float](x, y []T) bool {
	return slices.EqualFunc(x, y, func(a, b T) bool { return a == b || a != a && b != b })
}

// lengths are all that take another path, and some long ones.
func lengths() []int {
	var n []int
	for i := range 135 {
		n = append(n, i)
	}
	if testing.Short() {
		return append(n[:70:70], 128, 133)
	}
	return append(n, 255, 256, 257, 1000, 4099)
}

// kinds of elements: those that compare as numbers do, with ties; whatever a float can be.
func kinds[T float]() map[string]func(int) T {
	r := prove.Rand(3)
	odd, specials := []T{0, T(math.Copysign(0, -1)), T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), prove.Tiny[T](),
		prove.Max[T](), -prove.Max[T](), 1, -1}, 0
	return map[string]func(int) T{
		"normal": func(int) T { return T(r.NormFloat64()) },
		"ties":   func(int) T { return T(r.IntN(7) - 3) },
		"special": func(int) T {
			specials++
			if specials%3 == 0 {
				return odd[r.IntN(len(odd))]
			}
			return T(r.NormFloat64())
		},
	}
}

func TestKernels(t *testing.T) { prove.Both(t, testKernels[float32], testKernels[float64]) }

func testKernels[T float](t *testing.T) {
	for name, fill := range kinds[T]() {
		for _, n := range lengths() {
			checkAll(t, name, n, n%16, fill)
			if n < 40 && !testing.Short() {
				for at := range 16 {
					checkAll(t, name, n, at, fill)
				}
			}
		}
	}
}

// checkAll calls each kernel on every tier, out of place and in place, in poisoned memory.
func checkAll[T float](t *testing.T, kind string, n, at int, fill func(int) T) {
	t.Helper()
	var a, out prove.Memory[T]
	a.Place(at, 1, n, n, fill)
	elements := slices.Clone(a.Data)
	nothing := func(int) T { return prove.Poison[T]() }
	prove.Tiers(func(tier cpu.Tier) {
		fail := func(kernel string, got, want any) {
			t.Helper()
			t.Fatalf("%s on %v, %s, n = %d, offset %d: got %v, want %v of %v", kernel, tier, kind, n, at, got, want,
				elements)
		}
		intact := func(kernel string, m *prove.Memory[T]) {
			t.Helper()
			if err := m.Diff(true); err != nil {
				fail(kernel, err, "memory as promised")
			}
		}
		out.Place((at+5)%16, 1, 16, 16, nothing)
		copy(out.Want(), wantMaxima(elements))
		maximaOf[T]()(ptr(out.Data), ptr(a.Data), n)
		intact("Maxima", &out)
		intact("Maxima, input", &a)

		for _, bound := range []T{0, 1.5, -10, 10, T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1))} {
			want := wantAbove(elements, bound)
			out.Place((at+3)%16, 1, n+16, n+16, nothing)
			m := aboveOf[T]()(ptr(out.Data), ptr(a.Data), n, bound)
			if m != len(want) || !same(out.Data[:m], want) {
				fail("Above", out.Data[:max(0, min(m, n))], want)
			}
			copy(out.Want(), out.Data) // all of it may be written, nothing else
			intact("Above", &out)
			intact("Above, input", &a)
			out.Place(at, 1, n+16, n+16, nothing)
			copy(out.Data, elements)
			if m := aboveOf[T]()(ptr(out.Data), ptr(out.Data), n, bound); m != len(want) || !same(out.Data[:m], want) {
				fail("Above in place", out.Data[:max(0, min(m, n))], want)
			}
		}

		for _, p := range [][4]float64{{0, 0, 0, 1}, {0.5, -0.25, 0, 2}, {1, 0.1, -0.5, math.Inf(1)},
			{0, 0, math.Inf(-1), math.Inf(1)}, {1e9, -1e9, 0, 1e-3}, {3, 3, 0, 1}} {
			c, s, l, u := p[0], p[1], p[2], p[3]
			for _, skip := range []T{T(math.Inf(-1)), T(c + s + l - 1e-3*(1+math.Abs(c)))} {
				out.Place((at+7)%16, 1, n, n, nothing)
				copy(out.Want(), wantClip(elements, c, s, l, u))
				clipOf[T]()(ptr(out.Data), ptr(a.Data), n, skip, c, s, l, u)
				intact("Clip", &out)
				copy(out.Data, elements)
				clipOf[T]()(ptr(out.Data), ptr(out.Data), n, skip, c, s, l, u)
				intact("Clip in place", &out)
				intact("Clip, input", &a)
			}
		}
	})
}

func TestAllocs(t *testing.T) {
	a, x := make([]float32, 100), make([]float32, 116)
	b, y := make([]float64, 100), make([]float64, 116)
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(10, func() {
			MaximaF32(&x[0], &a[0], 100)
			MaximaF64(&y[0], &b[0], 100)
			AboveF32(&x[0], &a[0], 100, 0)
			AboveF64(&y[0], &b[0], 100, 0)
			ClipF32(&x[0], &a[0], 100, 0, 0, 0, 0, 1)
			ClipF64(&y[0], &b[0], 100, 0, 0, 0, 0, 1)
			var index [116]int32
			PruneF32(&x[0], &index[0], &x[0], &a[0], &a[0], 100, 3, &pruneParameters[0][0])
			PruneF64(&y[0], &index[0], &y[0], &b[0], &b[0], 100, 3, &pruneParameters[0][0])
			p := [SmallParams]float64{1, 1, 1, 1, 2}
			SmallF32(&x[0], &a[0], 16, 1, 2, &p[0])
			SmallF64(&y[0], &b[0], 16, 1, 2, &p[0])
		}); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}
