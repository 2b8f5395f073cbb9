package box

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

func oneLogisticKernel[T prove.Float]() oneKernel[T] {
	return prove.Pick[T, oneKernel[T]](oneKernel[float32](OneLogisticF32), oneKernel[float64](OneLogisticF64))
}

// drawOneLogistic draws examples that share no feature, of integers by which no score is rounded, with weights, norms
// and dual variables of all sizes.
func drawOneLogistic[T prove.Float](rng *rand.Rand, n, nnz int) *ones[T] {
	v := &ones[T]{visits: make([]One, n+OneAhead), w: make([]T, n*nnz+1), constant: T(rng.IntN(2)),
		least: []float64{math.Inf(-1), 0, .5, 2}[rng.IntN(4)]}
	size := []float64{.125, 1, 8}[rng.IntN(3)]
	for j := range v.w {
		v.w[j] = T(float64(rng.IntN(9)-4) * size / 8)
	}
	v.bias[0] = T(rng.IntN(3)) / 2
	for q := range v.visits[:n] {
		side, r := float64(1-2*rng.IntN(2)), math.Exp(3*rng.NormFloat64())
		most := float64(T(r))
		if most > r {
			most = float64(math.Nextafter32(float32(r), 0))
		}
		x := r * []float64{0, 1, rng.Float64(), math.Exp(-40 * rng.Float64())}[rng.IntN(4)]
		v.visits[q] = One{Row: int64(len(v.idx)), Len: int64(nnz), X: min(float64(T(x)), most), Side: side, R: r,
			Inverse: most, Bend: math.Exp(4 * rng.NormFloat64()), Gap: r * rng.Float64()}
		for k := range nnz {
			v.idx, v.val = append(v.idx, int32(q*nnz+k)), append(v.val, T(rng.IntN(5)-2))
		}
	}
	rng.Shuffle(len(v.idx), func(i, j int) {
		if i/max(nnz, 1) == j/max(nnz, 1) {
			v.idx[i], v.idx[j] = v.idx[j], v.idx[i]
		}
	})
	for q := n; q < n+OneAhead; q++ {
		v.visits[q].Row = int64(len(v.idx))
	}
	v.idx, v.val = slices.Grow(v.idx, 1), slices.Grow(v.val, 1) // some memory, where there are no numbers
	return v
}

// score is <w, x> of example q, with the constant feature's weight bias.
func (v *ones[T]) score(q int, bias T) (s float64) {
	o := v.visits[q]
	for k, j := range v.idx[o.Row:][:o.Len] {
		s += float64(v.val[int(o.Row)+k]) * float64(v.w[j])
	}
	return s + float64(v.constant)*float64(bias)
}

// TestOneLogistic: in all forms each visit finds the gap, and goes to the optimum, which bisection finds.
func TestOneLogistic(t *testing.T) { prove.Both(t, testOneLogistic[float32], testOneLogistic[float64]) }

func testOneLogistic[T prove.Float](t *testing.T) {
	rng, moved, rested := prove.Rand(46), 0, 0
	for nnz := range 60 {
		for n := range 8 {
			v := drawOneLogistic[T](rng, n, nnz)
			if n > 1 {
				v.constant = 0 // else examples share a feature
			}
			prove.Forms(func(form string) {
				got := v.clone()
				got.visit(oneLogisticKernel[T]())
				for q := range n {
					if v.checkLogistic(t, form, got, q) {
						moved++
					} else {
						rested++
					}
				}
				if !slices.Equal(got.visits[n:], v.visits[n:]) {
					t.Fatalf("%s: what follows is changed", form)
				}
			})
		}
	}
	if moved < 500 || rested < 500 { // of 1680 visits in each form
		t.Fatalf("%d visits moved, %d rested", moved, rested)
	}
}

// checkLogistic compares visit q of got with the optimum, and reports whether it moved. Errors and their bounds are as
// in package entropy's test of a label: the residual has roundings of its terms, of 2^-50 together, and the last step
// leaves out half of its third power. The score is exact.
func (v *ones[T]) checkLogistic(t *testing.T, form string, got *ones[T], q int) (moved bool) {
	t.Helper()
	was, is, unit := v.visits[q], got.visits[q], prove.Unit[T]()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s, %+v, score %v: %s", form, was, v.score(q, v.bias[0]), fmt.Sprintf(format, args...))
	}
	z := -was.Side * v.score(q, v.bias[0])
	phi := was.R * (max(0, z) + math.Log1p(math.Exp(-math.Abs(z))))
	want := phi - was.X*z - was.Gap
	if bound := 0x1p-49 * (phi + was.X*math.Abs(z) + was.Gap); !(math.Abs(is.Gap-want) <= bound) {
		fail("gap %v, want %v within %v", is.Gap, want, bound)
	}
	step := T(0)
	if is.Gap > v.least {
		best, dist, off, upper := was.optimum(z)
		near := prove.Pick[T, float64](0x1p-4, 0x1p-7)
		off += near * near * near / 2
		part, bound := is.X/was.R, best*(math.Expm1(off)+unit)+2*float64(prove.Tiny[T]())/was.R
		if upper {
			part, bound = (was.R-is.X)/was.R, bound+2*unit
		}
		if !(0 <= is.X && is.X <= was.Inverse && float64(T(is.X)) == is.X && math.Abs(part-best) <= bound) {
			fail("x = %v, part %v, want %v within %v", is.X, part, best, bound)
		}
		term := 0.0
		if part > 0 {
			term = -was.R * (part*math.Log(part) + (1-part)*math.Log1p(-part))
		}
		bound = was.R*(2*unit*(1+dist)+off*off) + 0x1p-51*term
		if !(math.Abs(is.Bend-term) <= bound) {
			fail("term %v, want %v within %v", is.Bend, term, bound)
		}
		step = T(was.Side * (is.X - was.X))
	} else if is.Gap = was.Gap; is != was {
		fail("rests, and becomes %+v", is)
	}
	near := func(is, was, x T) {
		if to := float64(was) + float64(x)*float64(step); !(math.Abs(float64(is)-to) <= 2*unit*(math.Abs(to)+
			math.Abs(float64(x)*float64(step)))) || step == 0 && is != was {
			fail("weight %v becomes %v, want %v", was, is, to)
		}
	}
	for k, j := range v.idx[was.Row:][:was.Len] {
		near(got.w[j], v.w[j], v.val[int(was.Row)+k])
	}
	if len(v.visits) == 1+OneAhead {
		near(got.bias[0], v.bias[0], v.constant)
	}
	return is.X != was.X
}

// optimum returns the smaller one of x/R and 1 - x/R at the optimum, and which that is; the distance of the logarithms
// of both; and by how much roundings of the residual move that.
func (o *One) optimum(z float64) (part, dist, off float64, upper bool) {
	c, old := o.Bend*o.R, o.X/o.R
	if upper = z+c*(old-.5) > 0; upper {
		old = (o.R - o.X) / o.R
	} else {
		z = -z
	}
	low, high := 0.0, 1+math.Abs(z)+c
	for range 200 {
		dist = (low + high) / 2
		if dist-z-c*(1/(1+math.Exp(dist))-old) < 0 {
			low = dist
		} else {
			high = dist
		}
	}
	e := math.Exp(-dist)
	part = e / (1 + e)
	return part, dist, 0x1p-50 * (1 + math.Abs(z) + dist + c*(part+old)) / (1 + c*part*(1-part)), upper
}

// TestOneLogisticNotFinite: where the score is NaN nothing moves; whatever it is the dual variable stays in its
// interval.
func TestOneLogisticNotFinite(t *testing.T) {
	prove.Both(t, testOneLogisticNotFinite[float32], testOneLogisticNotFinite[float64])
}

func testOneLogisticNotFinite[T prove.Float](t *testing.T) {
	rng := prove.Rand(47)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), float64(prove.Max[T]())} {
		for nnz := 1; nnz < 40; nnz++ {
			v := drawOneLogistic[T](rng, 1, nnz)
			v.w[v.idx[rng.IntN(nnz)]] = T(bad)
			for k := range v.val {
				v.val[k] = T(1 + rng.IntN(2))
			}
			prove.Forms(func(form string) {
				got := v.clone()
				got.visit(oneLogisticKernel[T]())
				o, was := got.visits[0], v.visits[0].X
				same := slices.EqualFunc(got.w, v.w, func(a, b T) bool { return prove.Same(a, b) })
				if bad != bad && (o.X != was || !same) {
					t.Fatalf("%s: a NaN moves %v to %v", form, was, o.X)
				}
				if !(o.X >= 0 && o.X <= o.R) {
					t.Fatalf("%s: %v moves %v to %v of %v", form, bad, was, o.X, o.R)
				}
			})
		}
	}
}

// TestOneLogisticGuardPages is TestOneGuardPages.
func TestOneLogisticGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("as TestGuardPages")
	}
	prove.Both(t, oneLogisticGuardPages[float32], oneLogisticGuardPages[float64])
}

func oneLogisticGuardPages[T prove.Float](t *testing.T) {
	rng := prove.Rand(48)
	for nnz := range 60 {
		v := drawOneLogistic[T](rng, 3, nnz)
		v.least = 0
		v.onGuardPages(t, nnz, oneLogisticKernel[T]())
	}
}

// TestOneLogisticAllocs: visits take no memory.
func TestOneLogisticAllocs(t *testing.T) {
	v := drawOneLogistic[float32](prove.Rand(49), 4, 20)
	v.least = math.Inf(-1)
	prove.Forms(func(form string) {
		if n := prove.Allocs(10, func() { v.visit(OneLogisticF32) }); n != 0 {
			t.Errorf("%s: %v allocations", form, n)
		}
	})
}

func BenchmarkOneLogistic(b *testing.B) {
	v := drawOneLogistic[float32](prove.Rand(50), 64, 50)
	v.constant, v.least = 0, 0
	prove.Forms(func(form string) {
		b.Run(fmt.Sprintf("type=f32/form=%s", form), func(b *testing.B) {
			visits := make([]One, len(v.visits))
			in := *v
			in.visits = visits
			for b.Loop() {
				copy(visits, v.visits)
				in.visit(OneLogisticF32)
			}
		})
	})
}
