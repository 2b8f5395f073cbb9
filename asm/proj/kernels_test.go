package proj

import (
	"fmt"
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

// TestSmall: what the kernel of small problems says it has solved obeys its own equations, each sum anew in float64;
// what it leaves is untouched.
func TestSmall(t *testing.T) { prove.Both(t, testSmall[float32], testSmall[float64]) }

func testSmall[T float](t *testing.T) {
	small := smallOf[T]()
	r := prove.Rand(17)
	solved := map[int]int{}
	prove.Tiers(func(tier cpu.Tier) {
		for i := range 4000 {
			n := 1 + i/2%16
			if i%2 == 1 {
				n = 1 + r.IntN(8*64/int(unsafe.Sizeof(*new(T))))
			}
			var a, dst prove.Memory[T]
			scale := math.Pow(10, float64(r.IntN(7)-3))
			a.Place(i%16, 1, n, n, func(int) T {
				if i%7 == 0 {
					return T(scale * float64(r.IntN(7)-3))
				}
				return T(scale * r.NormFloat64())
			})
			dst.Place(i%7, 1, n, n, func(int) T { return prove.Poison[T]() })
			kind, k := i%5, 1+r.IntN(n)
			radius, rho := scale*r.ExpFloat64(), r.ExpFloat64()
			kk := float64(k)
			limit := radius / kk
			switch kind {
			case 0, 4:
				k, limit = 1, radius
			case 3:
				limit = radius / (kk - 0.9*r.Float64())
				k = int(math.Ceil(radius / limit))
			}
			p := [SmallParams]float64{radius, rho, kk, limit, kk + rho*kk*kk}
			s := small(ptr(dst.Data), ptr(a.Data), n, k, kind, &p[0])
			if err := a.Diff(false); err != nil {
				t.Fatalf("%v: input: %v", tier, err)
			}
			if s == 0 {
				if err := dst.Diff(false); err != nil {
					t.Fatalf("%v: not solved: %v", tier, err)
				}
				continue
			}
			solved[kind]++
			c, shift, total, u, lambda := p[5], p[6], p[7], p[8], p[9]
			counts := *(*[2]int32)(unsafe.Pointer(&p[10]))
			fail := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("%v: kind %d k=%d r=%v rho=%v limit %v of %v, %v: %s", tier, kind, k, radius, rho, limit,
					a.Data, p[5:10], fmt.Sprintf(format, args...))
			}
			copy(dst.Want(), wantClip(a.Data, c, shift, 0, u))
			if err := dst.Diff(true); err != nil {
				fail("%v", err)
			}
			if total != c+shift || kind != 2 && u != limit || kind == 2 && u > limit {
				fail("thresholds")
			}
			sum, over, size, want := 0.0, 0.0, radius, [2]int32{}
			for _, v := range a.Data {
				x := float64(v) - c - shift
				size = max(size, math.Abs(float64(v)))
				if x >= u {
					want[0]++
				} else if x > 0 {
					want[1]++
				}
				sum += min(max(0, x), u)
				over += max(0, x-u)
			}
			if counts != want {
				fail("counts %d, want %d", counts, want)
			}
			tol := 64 * 0x1p-52 * size * (1 + rho)
			near := func(what string, got, want, tol float64) {
				t.Helper()
				if !(math.Abs(got-want) <= tol) {
					fail("%s is %v, want %v", what, got, want)
				}
			}
			switch {
			case kind >= 3:
				near("the sum", sum, radius, tol)
				near("lambda", lambda, total, 0)
			case kind < 2 && sum < radius-tol:
				near("T", total, rho*sum, tol)
				near("lambda", lambda, 0, tol)
			case kind < 2:
				near("the sum", sum, radius, tol)
				near("lambda", lambda, max(0, total-rho*radius), tol)
			default:
				near("U", u, sum/kk, tol)
				if u < radius/kk-tol {
					near("T", total, rho*sum-over/kk, tol*(1+rho))
				}
				near("lambda", lambda, max(0, total+over/kk-rho*sum), tol*(1+rho))
			}
		}
	})
	t.Logf("solved, by kind: %v", solved)
}
