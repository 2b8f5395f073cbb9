package box

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

type oneKernel[T prove.Float] func(visits *byte, n int, idx *int32, val, w, bias *T, constant T, least float64)

func oneKernelOf[T prove.Float](squared bool) oneKernel[T] {
	if squared {
		return prove.Pick[T, oneKernel[T]](oneKernel[float32](OneSquaredF32), oneKernel[float64](OneSquaredF64))
	}
	return prove.Pick[T, oneKernel[T]](oneKernel[float32](OneHingeF32), oneKernel[float64](OneHingeF64))
}

// ones are visits of some examples, of integers and of numbers by which nothing is rounded.
type ones[T prove.Float] struct {
	visits   []One
	idx      []int32
	val, w   []T
	bias     [1]T
	constant T
	least    float64
	squared  bool
}

// drawOnes draws examples of nnz numbers each.
func drawOnes[T prove.Float](rng *rand.Rand, n, nnz int, squared bool) *ones[T] {
	const d = 60
	v := &ones[T]{visits: make([]One, n+OneAhead), w: make([]T, d), constant: T(rng.IntN(2)), squared: squared,
		least: float64(rng.IntN(3))}
	for j := range v.w {
		v.w[j] = T(rng.IntN(5)-2) / 8
	}
	v.bias[0] = T(rng.IntN(3))
	for q := range v.visits {
		o := &v.visits[q]
		*o = One{Row: int64(len(v.idx)), Len: int64(nnz), X: float64(rng.IntN(5)), Side: float64(1 - 2*rng.IntN(2)),
			R: 4, Inverse: 0x1p-4}
		if squared {
			o.R, o.Bend = 1, .5
		}
		for _, j := range rng.Perm(d)[:nnz] {
			v.idx, v.val = append(v.idx, int32(j)), append(v.val, T(rng.IntN(5)-2))
		}
	}
	v.idx, v.val = slices.Grow(v.idx, 1), slices.Grow(v.val, 1) // some memory, where there are no numbers
	return v
}

func (v *ones[T]) clone() *ones[T] {
	c := *v
	c.visits, c.w = slices.Clone(v.visits), slices.Clone(v.w)
	return &c
}

func (v *ones[T]) visit(by oneKernel[T]) {
	by((*byte)(unsafe.Pointer(&v.visits[0])), len(v.visits)-OneAhead, unsafe.SliceData(v.idx), unsafe.SliceData(v.val),
		&v.w[0], &v.bias[0], v.constant, v.least)
}

func (v *ones[T]) twin() {
	v.visit(func(visits *byte, n int, idx *int32, val, w, bias *T, constant T, least float64) {
		oneGeneric(visits, n, idx, val, w, bias, constant, least, v.squared)
	})
}

// TestOne: examples of any number of numbers, one after the other, come to what the twin comes to, in all forms, and
// what is behind the last visit is left alone. TestRows of package loss compares the twin with the losses.
func TestOne(t *testing.T) { each(t, testOne[float32], testOne[float64]) }

func testOne[T prove.Float](t *testing.T, squared bool) {
	rng, moved, rested := prove.Rand(41), 0, 0
	for nnz := range 60 {
		for n := range 5 {
			v := drawOnes[T](rng, n, nnz, squared)
			want := v.clone()
			want.twin()
			for q, o := range v.visits[:n] {
				if o.X != want.visits[q].X {
					moved++
				} else {
					rested++
				}
			}
			prove.Forms(func(form string) {
				got := v.clone()
				got.visit(oneKernelOf[T](squared))
				if !slices.Equal(got.visits, want.visits) || !slices.Equal(got.w, want.w) || got.bias != want.bias {
					t.Fatalf("%s, %d examples of %d numbers: %+v, %v, %v, want %+v, %v, %v", form, n, nnz, got.visits,
						got.w, got.bias, want.visits, want.w, want.bias)
				}
			})
		}
	}
	if moved < 100 || rested < 100 {
		t.Fatalf("%d visits moved, %d rested", moved, rested)
	}
}

// TestOneNotFinite: where the score is NaN nothing moves; whatever it is the dual variable stays in its interval.
func TestOneNotFinite(t *testing.T) { each(t, testOneNotFinite[float32], testOneNotFinite[float64]) }

func testOneNotFinite[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(42)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), float64(prove.Max[T]())} {
		for nnz := 1; nnz < 40; nnz++ {
			v := drawOnes[T](rng, 1, nnz, squared)
			v.w[v.idx[rng.IntN(nnz)]] = T(bad)
			for k := range v.val {
				v.val[k] = T(1 + rng.IntN(2))
			}
			v.visits[0].Inverse = []float64{0x1p-4, math.Inf(1), 0}[rng.IntN(3)]
			prove.Forms(func(form string) {
				got := v.clone()
				got.visit(oneKernelOf[T](squared))
				o, was := got.visits[0], v.visits[0].X
				same := slices.EqualFunc(got.w, v.w, func(a, b T) bool { return prove.Same(a, b) })
				if bad != bad && (o.X != was || !same) {
					t.Fatalf("%s: a NaN moves %v to %v", form, was, o.X)
				}
				if !(o.X >= 0) || !squared && !(o.X <= o.R) {
					t.Fatalf("%s: %v moves %v to %v", form, bad, was, o.X)
				}
			})
		}
	}
}

// TestOneGuardPages visits with every array at pages without rights, those that are only read without the right to
// write.
func TestOneGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("as TestGuardPages")
	}
	each(t, oneGuardPages[float32], oneGuardPages[float64])
}

func oneGuardPages[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(43)
	for nnz := range 60 {
		drawOnes[T](rng, 3, nnz, squared).onGuardPages(t, nnz, oneKernelOf[T](squared))
	}
}

// onGuardPages visits three examples of nnz numbers each so.
func (v *ones[T]) onGuardPages(t *testing.T, nnz int, by oneKernel[T]) {
	visits, idx, val, w := guard.New(t, 4096), guard.New(t, 4096), guard.New(t, 8192), guard.New(t, 4096)
	// What follows the last visit tells where a row begins, and no more: these rows need not be there.
	v.idx, v.val = v.idx[:3*nnz], v.val[:3*nnz]
	prove.Forms(func(form string) {
		for end := range 2 {
			idx.ReadOnly(t, false)
			val.ReadOnly(t, false)
			in := *v
			if end == 0 {
				in.visits, in.idx, in.val, in.w = guard.Head[One](visits, len(v.visits)), guard.Head[int32](idx,
					len(v.idx)), guard.Head[T](val, len(v.val)), guard.Head[T](w, len(v.w))
			} else {
				in.visits, in.idx, in.val, in.w = guard.Tail[One](visits, len(v.visits)), guard.Tail[int32](idx,
					len(v.idx)), guard.Tail[T](val, len(v.val)), guard.Tail[T](w, len(v.w))
			}
			copy(in.visits, v.visits)
			copy(in.idx, v.idx)
			copy(in.val, v.val)
			copy(in.w, v.w)
			idx.ReadOnly(t, true)
			val.ReadOnly(t, true)
			if at, faulted := guard.Fault(func() { in.visit(by) }); faulted {
				t.Fatalf("%s, %d numbers, end %d: fault at %#x", form, nnz, end, at)
			}
		}
	})
	idx.ReadOnly(t, false)
	val.ReadOnly(t, false)
}

// TestOneAllocs: visits take no memory.
func TestOneAllocs(t *testing.T) {
	v := drawOnes[float32](prove.Rand(44), 4, 20, true)
	prove.Forms(func(form string) {
		if n := prove.Allocs(10, func() { v.visit(OneHingeF32); v.visit(OneSquaredF32) }); n != 0 {
			t.Errorf("%s: %v allocations", form, n)
		}
	})
}

func BenchmarkOne(b *testing.B) {
	for _, squared := range []bool{false, true} {
		v := drawOnes[float32](prove.Rand(45), 64, 50, squared)
		prove.Forms(func(form string) {
			b.Run(fmt.Sprintf("type=f32/squared=%v/form=%s", squared, form), func(b *testing.B) {
				for b.Loop() {
					v.clone().visit(oneKernelOf[float32](squared))
				}
			})
		})
	}
}
