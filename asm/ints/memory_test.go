package ints

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/guard"
)

const poison = 0xa5

// poisoned copies x to offset elements behind a boundary of 128 bytes, in the middle of poison, and returns a function
// that reports whether anything around it changed.
func poisoned(x []byte, offset int) (placed []byte, intact func() bool) {
	const margin = 256
	mem := make([]byte, 2*margin+len(x)+offset+128)
	fill(mem, poison)
	from := int(-uintptr(unsafe.Pointer(&mem[0]))%128) + margin + offset
	placed = mem[from : from+len(x) : from+len(x)]
	copy(placed, x)
	want := bytes.Clone(mem)
	return placed, func() bool {
		return bytes.Equal(mem[:from], want[:from]) && bytes.Equal(mem[from+len(x):], want[from+len(x):])
	}
}

// poisoned copies the arguments, some elements off a boundary; the result begins as poison.
func (k kernel) poisoned(a *args, offset int) (placed *args, intact func() error) {
	b := *a
	x, xIntact := poisoned(a.x, offset*k.size)
	y, yIntact := poisoned(a.y, (offset*5+3)%64*k.size)
	dst := make([]byte, 4*len(a.dst))
	fill(dst, poison)
	dst, dstIntact := poisoned(dst, 4*offset)
	b.x, b.y, b.dst, b.ret = x, y, unsafe.Slice(mem[int32](dst), len(a.dst)), [2]int{}
	return &b, func() error {
		if !xIntact() || !yIntact() || !dstIntact() {
			return fmt.Errorf("memory outside the arguments changed")
		}
		if !bytes.Equal(x, a.x) || !bytes.Equal(y, a.y) {
			return fmt.Errorf("an argument changed that is only read")
		}
		return nil
	}
}

// guarded copies the arguments to arenas of their own, at one end; what is only read has no right to be written.
func (a *args) guarded(t *testing.T, arenas []*guard.Arena, upper bool) *args {
	b := *a
	b.ret = [2]int{}
	b.x, b.y = end(t, arenas[0], a.x, upper), end(t, arenas[1], a.y, upper)
	b.dst = end(t, arenas[2], a.dst, upper)
	arenas[2].ReadOnly(t, false)
	for i := range b.dst {
		b.dst[i] = -poison
	}
	return &b
}

func end[T any](t *testing.T, a *guard.Arena, x []T, upper bool) []T {
	a.ReadOnly(t, false)
	place := guard.Head[T]
	if upper {
		place = guard.Tail[T]
	}
	dst := place(a, len(x))
	copy(dst, x)
	a.ReadOnly(t, true)
	return dst
}

// diff compares results. What lies behind places is undefined.
func (k kernel) diff(got, want *args) error {
	if got.ret != want.ret {
		return fmt.Errorf("returned %d, want %d", got.ret, want.ret)
	}
	a, b := got.dst, want.dst
	if k.places {
		a, b = a[:got.ret[0]], b[:got.ret[0]]
	}
	if !slices.Equal(a, b) {
		return fmt.Errorf("results %d, want %d", a, b)
	}
	return nil
}
