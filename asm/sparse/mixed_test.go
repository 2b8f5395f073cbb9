package sparse

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// mixedCall is a call of a kernel of two element types.
type mixedCall struct {
	idx   []int32
	val   []float32
	x     []float64
	alpha float64
}

func drawMixed(r *rand.Rand, nnz, d int, number func() float64) *mixedCall {
	c := &mixedCall{idx: make([]int32, nnz), val: make([]float32, nnz), x: make([]float64, d), alpha: number()}
	for k := range c.idx {
		c.idx[k], c.val[k] = int32(r.IntN(d)), float32(number())
	}
	for j := range c.x {
		c.x[j] = number()
	}
	return c
}

func (c *mixedCall) dot() float64 { return MixedDot(ptr(c.idx), ptr(c.val), len(c.idx), ptr(c.x)) }
func (c *mixedCall) axpy()        { MixedAxpy(c.alpha, ptr(c.idx), ptr(c.val), len(c.idx), ptr(c.x)) }

// check holds both kernels to the bound of prove.Sum, or of small integers to the one sum that they have.
func (c *mixedCall) check(t *testing.T, exact bool) {
	t.Helper()
	var dot prove.Sum[float64]
	dot.Reset()
	sums, was, want := make([]prove.Sum[float64], len(c.x)), append([]float64(nil), c.x...), 0.0
	for j := range sums {
		sums[j].Reset()
		sums[j].Add(c.x[j], 1, 1)
	}
	for k, j := range c.idx {
		dot.Add(float64(c.val[k]), c.x[j], 1)
		sums[j].Add(float64(c.val[k]), c.alpha, 1)
		want += float64(c.val[k]) * c.x[j]
	}
	prove.Forms(func(form string) {
		got := c.dot()
		if err := dot.Check(got); err != nil || exact && got != want {
			t.Fatalf("%s, %d numbers: dot is %v, want %v: %v", form, len(c.idx), got, want, err)
		}
		c.axpy()
		for j, v := range c.x {
			if err := sums[j].Check(v); err != nil {
				t.Fatalf("%s, %d numbers: place %d after axpy: %v", form, len(c.idx), j, err)
			}
		}
		copy(c.x, was)
	})
}

// TestMixed: all numbers of elements, of integers and of numbers of all sizes.
func TestMixed(t *testing.T) {
	r := prove.Rand(31)
	for nnz := range 130 {
		drawMixed(r, nnz, 1+r.IntN(40), func() float64 { return float64(r.IntN(9) - 4) }).check(t, true)
		real := func() float64 { return r.NormFloat64() * math.Exp(4*r.NormFloat64()) }
		drawMixed(r, nnz, 1+r.IntN(40), real).check(t, false)
	}
}

// TestMixedSpecials: what is no number comes through, and infinities do.
func TestMixedSpecials(t *testing.T) {
	for nnz := 1; nnz < 40; nnz++ {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			c := drawMixed(prove.Rand(uint64(nnz)), nnz, 50, func() float64 { return 1 })
			c.val[nnz-1] = float32(v)
			prove.Forms(func(form string) {
				if got := c.dot(); !prove.Same(got, v) {
					t.Fatalf("%s, %d numbers: %v, want %v", form, nnz, got, v)
				}
			})
		}
	}
}

// TestMixedGuardPages: nothing is read behind the arguments, and nothing written that is read alone.
func TestMixedGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("as TestGuardPages")
	}
	r := prove.Rand(32)
	idx, val, x := guard.New(t, 4096), guard.New(t, 4096), guard.New(t, 4096)
	for nnz := range 70 {
		c := drawMixed(r, nnz, 7, func() float64 { return float64(r.IntN(5)) })
		prove.Forms(func(form string) {
			for end := range 2 {
				for _, a := range []*guard.Arena{idx, val} {
					a.ReadOnly(t, false)
				}
				in := *c
				if end == 0 {
					in.idx, in.val = guard.Head[int32](idx, nnz), guard.Head[float32](val, nnz)
					in.x = guard.Head[float64](x, 7)
				} else {
					in.idx, in.val = guard.Tail[int32](idx, nnz), guard.Tail[float32](val, nnz)
					in.x = guard.Tail[float64](x, 7)
				}
				copy(in.idx, c.idx)
				copy(in.val, c.val)
				copy(in.x, c.x)
				for _, a := range []*guard.Arena{idx, val} {
					a.ReadOnly(t, true)
				}
				if at, faulted := guard.Fault(func() { in.dot(); in.axpy() }); faulted {
					t.Fatalf("%s, %d numbers, end %d: fault at %#x", form, nnz, end, at)
				}
			}
		})
	}
	for _, a := range []*guard.Arena{idx, val} {
		a.ReadOnly(t, false)
	}
}

func TestMixedAllocs(t *testing.T) {
	c := drawMixed(prove.Rand(33), 30, 50, func() float64 { return 1 })
	prove.Forms(func(form string) {
		if n := prove.Allocs(10, func() { c.dot(); c.axpy() }); n != 0 {
			t.Errorf("%s: %v allocations", form, n)
		}
	})
}
