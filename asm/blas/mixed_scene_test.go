package blas

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// mixedCall holds the arguments of any kernel of two element types. a is the float32 data: a matrix, or for dot and
// axpy a vector, which is its only row. x is the float64 vector that is read, y the one that is written.
type mixedCall struct {
	m, n, lda   int
	alpha, beta float64
	a           []float32
	x, y        []float64
	sum         float64
}

// mixedKernel describes one kernel of two element types to the tests, as kernel does for one type. A kernel without y
// returns a sum.
type mixedKernel struct {
	name            string
	x, y            dim
	matrix, scalars bool
	beta            bool
	run             func(c *mixedCall)
	terms           func(c *mixedCall, add func(i int, f, g, h float64))
}

var mixedKernels = []mixedKernel{{
	name: "dot", x: byN,
	run: func(c *mixedCall) { c.sum = MixedDot(ptr(c.a), ptr(c.x), c.n) },
	terms: func(c *mixedCall, add func(i int, f, g, h float64)) {
		for j := range c.n {
			add(0, float64(c.a[j]), c.x[j], 1)
		}
	},
}, {
	name: "axpy", y: byN, scalars: true,
	run: func(c *mixedCall) { MixedAxpy(c.alpha, ptr(c.a), ptr(c.y), c.n) },
	terms: func(c *mixedCall, add func(i int, f, g, h float64)) {
		for j := range c.n {
			add(j, c.y[j], 1, 1)
			add(j, c.alpha, float64(c.a[j]), 1)
		}
	},
}, {
	name: "gemv", x: byN, y: byM, matrix: true, scalars: true, beta: true,
	run: func(c *mixedCall) { MixedGemv(c.m, c.n, c.alpha, ptr(c.a), c.lda, ptr(c.x), c.beta, ptr(c.y)) },
	terms: func(c *mixedCall, add func(i int, f, g, h float64)) {
		for i := range c.m {
			for j := range c.n {
				add(i, float64(c.a[i*c.lda+j]), c.x[j], c.alpha)
			}
			if c.beta != 0 {
				add(i, c.beta, c.y[i], 1)
			}
		}
	},
}, {
	name: "gemvt", x: byM, y: byN, matrix: true, scalars: true, beta: true,
	run: func(c *mixedCall) { MixedGemvT(c.m, c.n, c.alpha, ptr(c.a), c.lda, ptr(c.x), c.beta, ptr(c.y)) },
	terms: func(c *mixedCall, add func(i int, f, g, h float64)) {
		for j := range c.n {
			for i := range c.m {
				add(j, float64(c.a[i*c.lda+j]), c.x[i], c.alpha)
			}
			if c.beta != 0 {
				add(j, c.beta, c.y[j], 1)
			}
		}
	},
}}

// mixedSource gives the elements of each argument in turn.
type mixedSource struct {
	a    func(i int) float32
	x, y func(i int) float64
}

// mixedScene is one call of a kernel: its arguments in poisoned memory, and what the call should leave there.
type mixedScene struct {
	mixedKernel
	c    mixedCall
	a    prove.Memory[float32]
	x, y prove.Memory[float64]
	want float64
	sums []prove.Sum[float64]
}

// place lays out the arguments of a call with these sizes.
func (s *mixedScene) place(k mixedKernel, m, n int, at layout, from mixedSource) {
	if !k.matrix {
		m, at.gap = 1, 0
	}
	length := func(d dim) int { return [...]int{none: 0, byM: m, byN: n}[d] }
	s.mixedKernel = k
	s.c.m, s.c.n, s.c.lda = m, n, n+at.gap
	s.a.Place(at.a, m, n, s.c.lda, from.a)
	s.x.Place(at.x, 1, length(k.x), length(k.x), from.x)
	s.y.Place(at.y, 1, length(k.y), length(k.y), from.y)
	s.c.a, s.c.x, s.c.y = s.a.Data, s.x.Data, s.y.Data
}

func (s *mixedScene) reset() {
	s.a.Reset()
	s.x.Reset()
	s.y.Reset()
	s.c.sum = prove.Poison[float64]()
}

// expect computes what the call should leave by the loop of the kernel's doc comment. Sums start from +0; the result of
// axpy starts from -0, which leaves its first term as it is.
func (s *mixedScene) expect() {
	s.reset()
	res := []float64{0}
	if s.mixedKernel.y != none {
		res = s.y.Want()
		for j := range res {
			res[j] = 0
			if !s.beta {
				res[j] = math.Copysign(0, -1)
			}
		}
	}
	s.terms(&s.c, func(i int, f, g, h float64) {
		res[i] += float64(float64(f*g) * h) // the conversions forbid fusing
	})
	if s.mixedKernel.y == none {
		s.want = res[0]
	}
}

// check runs the kernel on every tier and demands what expect found, bit for bit.
func (s *mixedScene) check(t testing.TB) {
	t.Helper()
	s.expect()
	prove.Tiers(func(tier cpu.Tier) { s.checkOne(t, tier) })
}

func (s *mixedScene) checkOne(t testing.TB, tier cpu.Tier) {
	t.Helper()
	s.reset()
	s.run(&s.c)
	if s.mixedKernel.y == none && !prove.Same(s.c.sum, s.want) {
		t.Fatalf("%s: got %v, want %v", s.where(tier), s.c.sum, s.want)
	}
	s.checkMemory(t, tier)
}

// checkBound runs the kernel on every tier and demands that each result be within the bound of prove.Sum of its exact
// value: the conversion of the data rounds nothing, so that the bound is the same as for a kernel of float64 alone.
func (s *mixedScene) checkBound(t testing.TB) {
	t.Helper()
	s.addUp()
	prove.Tiers(func(tier cpu.Tier) {
		s.reset()
		s.run(&s.c)
		for i, got := range s.results() {
			if err := s.sums[i].Check(got); err != nil {
				t.Fatalf("%s: result %d: %v", s.where(tier), i, err)
			}
		}
		copy(s.y.Want(), s.y.Data)
		s.checkMemory(t, tier)
	})
}

// addUp makes sums the exact values of the results.
func (s *mixedScene) addUp() {
	s.reset()
	size := len(s.results())
	if len(s.sums) < size {
		s.sums = append(s.sums, make([]prove.Sum[float64], size-len(s.sums))...)
	}
	for i := range size {
		s.sums[i].Reset()
	}
	s.terms(&s.c, func(i int, f, g, h float64) { s.sums[i].Add(f, g, h) })
}

func (s *mixedScene) results() []float64 {
	if s.mixedKernel.y == none {
		return []float64{s.c.sum}
	}
	return s.c.y
}

func (s *mixedScene) checkMemory(t testing.TB, tier cpu.Tier) {
	t.Helper()
	for name, err := range map[string]error{"a": s.a.Diff(false), "x": s.x.Diff(false), "y": s.y.Diff(s.beta)} {
		if err != nil {
			t.Fatalf("%s: %s: %v", s.where(tier), name, err)
		}
	}
}

func (s *mixedScene) where(tier cpu.Tier) string {
	c := &s.c
	return fmt.Sprintf("mixed %s on %v: m=%d n=%d lda=%d alpha=%v beta=%v; a, x, y at bytes %d, %d, %d of 128",
		s.name, tier, c.m, c.n, c.lda, c.alpha, c.beta, place(c.a), place(c.x), place(c.y))
}

// place is where x begins behind a boundary of 128 bytes.
func place[T float](x []T) uintptr { return uintptr(unsafe.Pointer(ptr(x))) % 128 }
