package box

import (
	"fmt"
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

type coupledKernel[T prove.Float] func(a, s, delta *T, m int, y *uint64, p *Coupled[T], h T, least float64) (gap, term,
	quadratic float64, outcome int)

func coupledKernelOf[T prove.Float](squared bool) coupledKernel[T] {
	if squared {
		return prove.Pick[T, coupledKernel[T]](coupledKernel[float32](CoupledSquaredF32),
			coupledKernel[float64](CoupledSquaredF64))
	}
	return prove.Pick[T, coupledKernel[T]](coupledKernel[float32](CoupledHingeF32),
		coupledKernel[float64](CoupledHingeF64))
}

// coupled is a visit with a matrix R. All arrays of numbers are as long as their kernels ask for.
type coupled[T prove.Float] struct {
	*visit[T]
	u, top, own, r []T
	y              []uint64
	wide           int
	h, floor       T
}

// drawCoupled draws R with a diagonal between 1/2 and 2, other numbers of the given size, and sometimes a label whose
// row is 0, and one whose q is 0.
func drawCoupled[T prove.Float](rng *rand.Rand, m int, size, unit, off float64, squared bool) *coupled[T] {
	line := prove.Pick[T, int](16, 8)
	v := &coupled[T]{visit: draw[T](rng, m, size, unit, squared), wide: (m + line - 1) / line * line,
		h: T(math.Ldexp(1, rng.IntN(9)-4)), floor: 0x1p-100, y: make([]uint64, (m+63)/64)}
	v.u, v.top, v.own, v.r = make([]T, v.wide), make([]T, v.wide), make([]T, v.wide), make([]T, m*v.wide)
	for l, c := range v.c {
		v.u[l], v.top[l] = -c, -v.lo[l]
		if v.hi[l] > 0 {
			v.u[l], v.top[l] = c, v.hi[l]
			v.y[l/64] |= 1 << (l % 64)
		}
	}
	for l := m; l < 64*len(v.y); l++ { // bits behind the labels mean nothing
		v.y[l/64] |= 1 << (l % 64)
	}
	still := rng.IntN(2 * m)
	for l := range m {
		if l == still {
			continue
		}
		v.own[l] = T(0.5 + 1.5*rng.Float64())
		v.r[l*v.wide+l] = v.own[l]
		for k := range l {
			if k != still {
				x := T(off * rng.NormFloat64())
				v.r[l*v.wide+k], v.r[k*v.wide+l] = x, x
			}
		}
	}
	if l := rng.IntN(2 * m); l < m { // q = 0
		v.s[l] = -v.u[l]
		if v.hi[l] > 0 {
			v.s[l] = v.u[l]
		}
		if rng.IntN(2) == 0 {
			v.a[l] = 0
		}
	}
	return v
}

// row returns row l of R.
func (v *coupled[T]) row(l int) []float64 {
	row := make([]float64, len(v.a))
	for k, r := range v.r[l*v.wide:][:len(row)] {
		row[k] = float64(r)
	}
	return row
}

// coupledMemory is where a visit takes place: a, s and delta between poison, and the arrays of the problem.
type coupledMemory[T prove.Float] struct{ a, s, delta, u, top, own, r prove.Memory[T] }

func (w *coupledMemory[T]) place(v *coupled[T], at int) {
	for i, x := range []struct {
		to   *prove.Memory[T]
		from []T
		n    int
	}{{&w.a, v.a, 0}, {&w.s, v.s, 0}, {&w.delta, nil, v.wide}, {&w.u, v.u, 0}, {&w.top, v.top, 0}, {&w.own, v.own, 0},
		{&w.r, v.r, 0}} {
		n := max(x.n, len(x.from))
		x.to.Place((at+i*5)%16, 1, n, n, func(j int) T {
			if x.from == nil {
				return prove.Poison[T]()
			}
			return x.from[j]
		})
	}
}

func (w *coupledMemory[T]) problem(v *coupled[T]) *Coupled[T] {
	return &Coupled[T]{U: &w.u.Data[0], Hi: &w.top.Data[0], Coupling: &w.r.Data[0], Own: &w.own.Data[0],
		Stride: v.wide, Floor: v.floor, Bend: v.bend, R: v.visit.r}
}

func (w *coupledMemory[T]) visit(v *coupled[T]) (gap, term, quadratic float64, outcome int) {
	return coupledKernelOf[T](v.squared)(&w.a.Data[0], &w.s.Data[0], &w.delta.Data[0], len(v.a), &v.y[0], w.problem(v),
		v.h, v.least)
}

// diff finds what has changed beside the dual variables and the moves, or if moves is false beside nothing.
func (w *coupledMemory[T]) diff(moves bool) error {
	if moves {
		copy(w.a.Want(), w.a.Data)
		copy(w.delta.Want(), w.delta.Data)
	}
	for _, x := range []*prove.Memory[T]{&w.a, &w.s, &w.delta, &w.u, &w.top, &w.own, &w.r} {
		if err := x.Diff(false); err != nil {
			return err
		}
	}
	return nil
}

// sweep is what exact arithmetic says of a visit, label by label, given the moves of the labels before each: errors do
// not add up.
type sweep struct {
	delta, delta1   []*big.Float // the sum of steps times R, and of their sizes
	term, quadratic *big.Float
	size1, size2    float64 // of their terms
	moved           int
}

// checkSweep follows the labels in order, and returns the sums. The optimum of a label is within ten roundings of the
// sizes of what it is computed from, and delta of as many as there were moves.
func (v *coupled[T]) checkSweep(after []T) (*sweep, error) {
	m := len(v.a)
	w := &sweep{delta: make([]*big.Float, m), delta1: make([]*big.Float, m), term: number(0), quadratic: number(0)}
	for l := range m {
		w.delta[l], w.delta1[l] = number(0), number(0)
	}
	h := number(float64(v.h))
	bend := number(0)
	if v.squared {
		bend = number(float64(v.bend))
	}
	for l, before := range v.a {
		t := T(-1)
		if v.y[l/64]>>(l%64)&1 == 1 {
			t = 1
		}
		x, z, own := number(float64(t*before)), number(float64(t*after[l])), number(float64(v.own[l]))
		q := v.u[l] - t*v.s[l]
		stays := q > 0 && v.top[l] == t*before || !(q > 0) && before == 0
		if v.squared {
			stays = clip(q, 0, v.top[l]) == v.bend*(t*before)
		}
		if stays {
			if after[l] != before {
				return w, fmt.Errorf("a[%d] = %v, want %v: its gap is 0", l, after[l], before)
			}
			continue
		}
		moves, sizes := times(h, w.delta[l]), toFloat(times(h, w.delta1[l]))
		curve := max(toFloat(plus(times(h, own), bend)), float64(v.floor))
		pull := minus(number(float64(v.u[l])), times(number(float64(t)), plus(number(float64(v.s[l])), moves)))
		pull = minus(pull, times(bend, x))
		want := toFloat(plus(x, times(pull, number(1/curve))))
		size := math.Abs(toFloat(x)) + (math.Abs(float64(v.u[l]))+math.Abs(float64(v.s[l]))+
			math.Abs(toFloat(times(bend, x)))+sizes)/curve
		bound := rounded[T](10)*size + rounded[T](w.moved+4)*sizes/curve
		within := func(z float64) float64 { return min(max(z, 0), float64(v.top[l])) }
		if got := toFloat(z); !(within(want-bound) <= got && got <= within(want+bound)) {
			return w, fmt.Errorf("t a[%d] = %v, want %v within %v and in 0..%v", l, t*after[l], want, bound, v.top[l])
		}
		if z.Cmp(x) != 0 {
			addStep[T](w, v.row(l), l, float64(v.s[l]), float64(v.u[l]), float64(v.h), float64(t), x, z, bend)
		}
	}
	return w, nil
}

// addStep adds a move of label l by z - x, times t, to the sums.
func addStep[T prove.Float](w *sweep, row []float64, l int, s, u, h, t float64, x, z, bend *big.Float) {
	d := minus(z, x)
	step, half := number(t*float64(T(toFloat(d)))), number(0.5) // it is rounded
	worth := minus(number(u), times(times(half, bend), plus(z, x)))
	w.term = plus(w.term, times(d, worth))
	w.size1 += math.Abs(toFloat(d)) * (math.Abs(u) + math.Abs(toFloat(times(bend, plus(z, x)))))
	own := times(number(h*row[l]), times(half, step)) // h is a power of two
	w.quadratic = plus(w.quadratic, times(step, plus(number(s), plus(times(number(h), w.delta[l]), own))))
	w.size2 += math.Abs(toFloat(d)) * (math.Abs(s) + h*toFloat(w.delta1[l]) + math.Abs(toFloat(own)))
	for k, r := range row {
		move := times(step, number(r))
		w.delta[k], w.delta1[k] = plus(w.delta[k], move), plus(w.delta1[k], number(0).Abs(move))
	}
	w.moved++
}

// checkCoupled compares every tier with exact arithmetic.
func (v *coupled[T]) checkCoupled(t *testing.T, at int) {
	t.Helper()
	m, want := len(v.a), v.solve()
	var w coupledMemory[T]
	prove.Tiers(func(tier cpu.Tier) {
		w.place(v, at)
		gap, term, quadratic, outcome := w.visit(v)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("%v, m = %d, squared %v: "+format, append([]any{tier, m, v.squared}, args...)...)
		}
		if !(math.Abs(gap-want.gap) <= want.gapBound) {
			fail("gap %v, want %v within %v", gap, want.gap, want.gapBound)
		}
		rests := !(gap > v.least)
		if err := w.diff(!rests); err != nil {
			fail("%v", err)
		}
		if rests {
			if outcome != Rests || term != 0 || quadratic != 0 {
				fail("rests: outcome %d, term %v, quadratic %v", outcome, term, quadratic)
			}
			return
		}
		sums, err := v.checkSweep(w.a.Data)
		if err != nil {
			fail("%v", err)
		}
		if (outcome == Moved) != (sums.moved > 0) {
			fail("outcome %d, %d labels moved", outcome, sums.moved)
		}
		for l, d := range w.delta.Data {
			switch {
			case l >= m && d != 0:
				fail("delta[%d] = %v behind the labels", l, d)
			case l < m && !near(float64(d), sums.delta[l], rounded[T](sums.moved+2)*toFloat(sums.delta1[l])):
				fail("delta[%d] = %v, want %v", l, d, toFloat(sums.delta[l]))
			}
		}
		if !near(term, sums.term, rounded[float64](m+8)*sums.size1) {
			fail("term %v, want %v", term, toFloat(sums.term))
		}
		if !near(quadratic, sums.quadratic, rounded[T](2*m+10)*sums.size2) {
			fail("quadratic %v, want %v", quadratic, toFloat(sums.quadratic))
		}
	})
}

func near(v float64, want *big.Float, bound float64) bool {
	return math.Abs(toFloat(minus(number(v), want))) <= bound
}

// TestCoupled: all numbers of labels, at all alignments, few and many of which hang together. If prove.Quick half of
// the draws of each number, up to 129.
func TestCoupled(t *testing.T) { each(t, testCoupled[float32], testCoupled[float64]) }

func testCoupled[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(41)
	sizes := slices.Concat(few, []int{127, 129})
	if !prove.Quick() {
		sizes = append(sizes, 257)
	}
	for m := 1; m <= 130 && !testing.Short(); m++ {
		sizes = append(sizes, m)
	}
	for m := 1; m <= 40; m++ {
		sizes = append(sizes, m, m)
	}
	for i, m := range sizes {
		rests := drawCoupled[T](rng, m, 1, 1, .1, squared)
		rests.least = math.Inf(1)
		for j, v := range []*coupled[T]{
			drawCoupled[T](rng, m, 1, math.Exp(rng.NormFloat64()), .1, squared),
			drawCoupled[T](rng, m, math.Exp(2*rng.NormFloat64()), 1, .5, squared),
			drawCoupled[T](rng, m, 1, 1, 0, squared),
			rests,
		} {
			if !prove.Visits(i, j, 2) {
				continue
			}
			at := i
			if j == 1 {
				at = i / 16
			}
			v.checkCoupled(t, at)
		}
	}
}

// TestCoupledNotFinite: of scores that are not finite NaN makes the visit rest, and with any others the dual variables
// stay in their intervals.
func TestCoupledNotFinite(t *testing.T) {
	each(t, testCoupledNotFinite[float32], testCoupledNotFinite[float64])
}

func testCoupledNotFinite[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(42)
	hostile := []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), prove.Max[T](), -prove.Max[T](), prove.Tiny[T](), 0}
	draws := 600
	if prove.Quick() {
		draws = 140
	}
	for i := range draws {
		v := drawCoupled[T](rng, 1+i%70, 1, 1, .1, squared)
		for range 1 + rng.IntN(3) {
			v.s[rng.IntN(len(v.s))] = hostile[rng.IntN(len(hostile))]
		}
		nan := slices.ContainsFunc(v.s, func(s T) bool { return s != s })
		prove.Tiers(func(tier cpu.Tier) {
			var w coupledMemory[T]
			w.place(v, i)
			gap, _, _, outcome := w.visit(v)
			goes := gap > v.least
			if err := w.diff(goes); err != nil || outcome == Moved && !goes || nan && goes {
				t.Fatalf("%v, gap %v, outcome %d: %v", tier, gap, outcome, err)
			}
			for l, x := range w.a.Data {
				if !(v.lo[l] <= x && x <= v.hi[l]) {
					t.Fatalf("%v, a[%d] = %v, want it in %v..%v", tier, l, x, v.lo[l], v.hi[l])
				}
			}
		})
	}
}

// TestCoupledGuardPages visits with every array at pages without rights, those that are only read without the right to
// write, and in a visit that rests all of them.
func TestCoupledGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("as TestGuardPages")
	}
	each(t, coupledGuardPages[float32], coupledGuardPages[float64])
}

func coupledGuardPages[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(43)
	var arenas [7]*guard.Arena
	for i := range arenas {
		arenas[i] = guard.New(t, 72*72*8)
	}
	words := guard.New(t, 64)
	for m := 1; m <= 70; m++ {
		if !prove.Visits(m, 0, 3) {
			continue
		}
		v := drawCoupled[T](rng, m, 1, 1, .1, squared)
		prove.Tiers(func(tier cpu.Tier) {
			for end := range 4 {
				place, placeWords := guard.Head[T], guard.Head[uint64]
				if end%2 == 1 {
					place, placeWords = guard.Tail[T], guard.Tail[uint64]
				}
				least := math.Inf(end/2*2 - 1)
				var x [7][]T
				for i, from := range [][]T{v.a, make([]T, v.wide), v.s, v.u, v.top, v.own, v.r} {
					arenas[i].ReadOnly(t, false)
					x[i] = place(arenas[i], len(from))
					copy(x[i], from)
					arenas[i].ReadOnly(t, i > 1 || least > 0)
				}
				words.ReadOnly(t, false)
				y := placeWords(words, len(v.y))
				copy(y, v.y)
				words.ReadOnly(t, true)
				p := &Coupled[T]{U: &x[3][0], Hi: &x[4][0], Own: &x[5][0], Coupling: &x[6][0], Stride: v.wide,
					Floor: v.floor, Bend: v.bend, R: v.visit.r}
				at, faulted := guard.Fault(func() {
					coupledKernelOf[T](squared)(&x[0][0], &x[2][0], &x[1][0], m, &y[0], p, v.h, least)
				})
				if faulted {
					t.Fatalf("%v, m = %d, end %d: fault at %#x", tier, m, end, at)
				}
			}
		})
	}
	for _, a := range append(arenas[:], words) {
		a.ReadOnly(t, false)
	}
}

// TestCoupledAllocs: a visit takes no memory, its problem included.
func TestCoupledAllocs(t *testing.T) {
	v := drawCoupled[float32](prove.Rand(44), 26, 1, 1, .1, true)
	delta := make([]float32, v.wide)
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(10, func() {
			p := Coupled[float32]{U: &v.u[0], Hi: &v.top[0], Coupling: &v.r[0], Own: &v.own[0], Stride: v.wide,
				Floor: v.floor, Bend: v.bend, R: v.visit.r}
			CoupledHingeF32(&v.a[0], &v.s[0], &delta[0], 26, &v.y[0], &p, v.h, v.least)
			CoupledSquaredF32(&v.a[0], &v.s[0], &delta[0], 26, &v.y[0], &p, v.h, v.least)
		}); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}
