package blas

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// ptr is unsafe.SliceData, short since every call of a kernel needs it.
func ptr[T float](x []T) *T { return unsafe.SliceData(x) }

// scene is one call of a kernel: its arguments in poisoned memory, and what the call should leave there.
type scene[T float] struct {
	kernel[T]
	c       call[T]
	x, y, a prove.Memory[T]
	same    bool // y is x itself
	want    T    // the sum to be returned
	sums    []prove.Sum[T]
}

// layout says where the arguments lie: offsets in elements from a boundary of 128 bytes, and how much lies between
// rows.
type layout struct{ x, y, a, gap int }

// source gives the elements of each argument in turn.
type source[T float] struct{ x, y, a func(i int) T }

// place lays out the arguments of a call with these sizes. same makes x and y one vector.
func (s *scene[T]) place(k kernel[T], m, n int, at layout, from source[T], same bool) {
	length := func(d dim) int { return [...]int{none: 0, byM: m, byN: n}[d] }
	s.kernel, s.same = k, same
	s.c.m, s.c.n, s.c.lda = m, n, n+at.gap
	s.x.Place(at.x, 1, length(k.x), length(k.x), from.x)
	s.y.Place(at.y, 1, length(k.y), length(k.y), from.y)
	rows := 0
	if k.matrix {
		rows = m
	}
	s.a.Place(at.a, rows, n, s.c.lda, from.a)
	s.c.x, s.c.y, s.c.a = s.x.Data, s.y.Data, s.a.Data
	if same {
		s.c.y = s.c.x
	}
}

// output is the memory that the kernel writes, nil when it returns a sum.
func (s *scene[T]) output() *prove.Memory[T] {
	switch {
	case s.out == outX, s.out == outY && s.same:
		return &s.x
	case s.out == outY:
		return &s.y
	case s.out == outA:
		return &s.a
	}
	return nil
}

func (s *scene[T]) reset() {
	s.x.Reset()
	s.y.Reset()
	s.a.Reset()
	s.c.sum = prove.Poison[T]()
}

// expect computes what the call should leave by the loop of the kernel's doc comment, in T. Sums start from +0; the
// result of an elementwise kernel starts from -0, which leaves its first term as it is.
func (s *scene[T]) expect() {
	s.reset()
	res := []T{0}
	if o := s.output(); o != nil {
		res = o.Want()
		start := T(0)
		if !s.beta {
			start = T(math.Copysign(0, -1))
		}
		for i := range o.Elements {
			res[i] = start
		}
	}
	s.terms(&s.c, func(i int, f, g, h T) {
		if s.square {
			f, g = f-g, f-g
		}
		res[i] += T(T(f*g) * h) // the conversions forbid fusing
	})
	if s.out == returned {
		s.want = res[0]
	}
}

// check runs the kernel on every tier and demands what expect found, bit for bit.
func (s *scene[T]) check(t testing.TB) {
	t.Helper()
	s.expect()
	prove.Tiers(func(tier cpu.Tier) { s.checkOne(t, tier) })
}

func (s *scene[T]) checkOne(t testing.TB, tier cpu.Tier) {
	t.Helper()
	s.reset()
	s.run(&s.c)
	if s.out == returned && !prove.Same(s.c.sum, s.want) {
		t.Fatalf("%s: got %v, want %v", s.where(tier), s.c.sum, s.want)
	}
	s.checkMemory(t, tier)
}

// checkBound runs the kernel on every tier and demands that each result be within the bound of its exact value, and
// that all other memory be as before.
func (s *scene[T]) checkBound(t testing.TB) {
	t.Helper()
	s.addUp()
	prove.Tiers(func(tier cpu.Tier) {
		s.reset()
		s.run(&s.c)
		near := func(i int, got T) {
			if err := s.sums[i].Check(got); err != nil {
				t.Fatalf("%s: result %d: %v", s.where(tier), i, err)
			}
		}
		if o := s.output(); o == nil {
			near(0, s.c.sum)
		} else {
			for i := range o.Elements {
				near(i, o.Data[i])
				o.Want()[i] = o.Data[i]
			}
		}
		s.checkMemory(t, tier)
	})
}

// addUp makes sums the exact values of the output.
func (s *scene[T]) addUp() {
	s.reset()
	size := 1
	if o := s.output(); o != nil {
		size = len(o.Data)
	}
	if len(s.sums) < size {
		s.sums = append(s.sums, make([]prove.Sum[T], size-len(s.sums))...)
	}
	for i := range size {
		s.sums[i].Reset()
	}
	s.terms(&s.c, func(i int, f, g, h T) {
		if s.square {
			s.sums[i].AddSquare(f, g)
		} else {
			s.sums[i].Add(f, g, h)
		}
	})
}

func (s *scene[T]) checkMemory(t testing.TB, tier cpu.Tier) {
	t.Helper()
	for i, m := range []*prove.Memory[T]{&s.x, &s.y, &s.a} {
		if err := m.Diff(s.anyZero); err != nil {
			t.Fatalf("%s: %c: %v", s.where(tier), "xya"[i], err)
		}
	}
}

func (s *scene[T]) where(tier cpu.Tier) string {
	c := &s.c
	at := func(x []T) uintptr { return uintptr(unsafe.Pointer(ptr(x))) % 128 / unsafe.Sizeof(T(0)) }
	return fmt.Sprintf("%s on %v: m=%d n=%d lda=%d alpha=%v beta=%v; x, y, a at %d, %d, %d; y is x: %v",
		s.name, tier, c.m, c.n, c.lda, c.alpha, c.beta, at(c.x), at(c.y), at(c.a), s.same)
}
