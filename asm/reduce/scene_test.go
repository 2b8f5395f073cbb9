package reduce

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// ptr is unsafe.SliceData, short since every call of a kernel needs it.
func ptr[E any](x []E) *E { return unsafe.SliceData(x) }

// scene is one call of a kernel: its arguments in poisoned memory, and what the call should leave there.
type scene[T float] struct {
	kernel[T]
	c, want call[T]
	x, dst  prove.Memory[T]
	idx     prove.Memory[float32] // int32, seen as the floats of the same bits
	same    bool                  // dst is x itself
}

// place lays out the arguments of a call. Each at of the three is an offset in elements from a boundary of 128 bytes.
func (s *scene[T]) place(k kernel[T], n int, at [3]int, fill func(int) T, same bool) {
	s.kernel, s.same = k, same && k.dst
	length := func(used bool) int {
		if used {
			return n
		}
		return 0
	}
	s.x.Place(at[0], 1, n, n, fill)
	s.dst.Place(at[1], 1, length(k.dst && !s.same), length(k.dst && !s.same), func(int) T { return prove.Poison[T]() })
	s.idx.Place(at[2], 1, length(k.idx), length(k.idx), func(int) float32 { return prove.Poison[float32]() })
	s.c.n, s.c.x, s.c.dst, s.c.idx = n, s.x.Data, s.dst.Data, int32s(s.idx.Data)
	if s.same {
		s.c.dst = s.c.x
	}
	s.define(&s.c, s.fresh())
}

// fresh returns want, empty.
func (s *scene[T]) fresh() *call[T] {
	s.want = call[T]{dst: slices.Grow(s.want.dst[:0], s.c.n)[:s.c.n], idx: slices.Grow(s.want.idx[:0], s.c.n)[:s.c.n]}
	return &s.want
}

func int32s(x []float32) []int32 { return unsafe.Slice((*int32)(unsafe.Pointer(ptr(x))), len(x)) }

// check runs the kernel on every tier and demands what its definition says: the bits of elements, the value of a result
// up to the sign of zero, or, where rounds is set and the value is a sum, a value within the bound.
func (s *scene[T]) check(t testing.TB, rounds bool) {
	t.Helper()
	var sum prove.Sum[T]
	if rounds = rounds && s.terms != nil; rounds {
		sum.Reset()
		s.terms(&s.c, sum.AddDifference)
	}
	prove.Tiers(func(tier cpu.Tier) {
		s.x.Reset()
		s.dst.Reset()
		s.idx.Reset()
		s.run(&s.c)
		if rounds {
			if err := sum.Check(s.c.value); err != nil {
				t.Fatalf("%s: %v", s.where(tier), err)
			}
			s.want.value = s.c.value
		}
		if err := s.compare(); err != nil {
			t.Fatalf("%s: %v", s.where(tier), err)
		}
		s.checkMemory(t, tier)
	})
}

// compare returns an error unless the results are those wanted.
func (s *scene[T]) compare() error {
	c, w := &s.c, &s.want
	if c.count != w.count || c.value != w.value && !prove.Same(c.value, w.value) {
		return fmt.Errorf("got %v, count %d, want %v, count %d", c.value, c.count, w.value, w.count)
	}
	for i := range s.written() {
		if !prove.Same(c.dst[i], w.dst[i]) || s.kernel.idx && c.idx[i] != w.idx[i] {
			return fmt.Errorf("place %d of %d: got %v, want %v; indices %v, want %v", i, s.written(), c.dst[i],
				w.dst[i], c.idx, w.idx)
		}
	}
	return nil
}

// written is the number of elements of dst that the kernel promises something about.
func (s *scene[T]) written() int {
	switch {
	case s.kernel.idx:
		return s.want.count
	case s.kernel.dst:
		return s.c.n
	}
	return 0
}

// checkMemory holds all that is not a result to what it was before.
func (s *scene[T]) checkMemory(t testing.TB, tier cpu.Tier) {
	t.Helper()
	if s.same {
		copy(s.x.Want(), s.x.Data)
	}
	copy(s.dst.Want(), s.dst.Data)
	copy(s.idx.Want(), s.idx.Data)
	for name, err := range map[string]error{"x": s.x.Diff(false), "dst": s.dst.Diff(false), "idx": s.idx.Diff(false)} {
		if err != nil {
			t.Fatalf("%s: %s: %v", s.where(tier), name, err)
		}
	}
}

func (s *scene[T]) where(tier cpu.Tier) string {
	x := s.c.x
	if len(x) > 40 {
		x = x[:40]
	}
	at := func(p unsafe.Pointer, size uintptr) uintptr { return uintptr(p) % 128 / size }
	return fmt.Sprintf("%s on %v: n=%d t=%v; x, dst, idx at %d, %d, %d; dst is x: %v; x=%v", s.name, tier, s.c.n, s.c.t,
		at(unsafe.Pointer(ptr(s.c.x)), unsafe.Sizeof(T(0))), at(unsafe.Pointer(ptr(s.c.dst)), unsafe.Sizeof(T(0))),
		at(unsafe.Pointer(ptr(s.c.idx)), 4), s.same, x)
}
