package blas

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestMixedGuardPages is TestGuardPages for the kernels of two types: every argument directly behind a page without
// rights and directly before one, and what is only read without the right to write.
func TestMixedGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	sizes := [][2]int{{3, 140}, {9, 67}, {2, 225}, {17, 33}, {35, 10}, {67, 7}, {33, 14}}
	for n := range 70 {
		sizes = append(sizes, [2]int{n % 19, n}, [2]int{1, n + 60})
	}
	a, x, y := guard.New(t, 8*8192), guard.New(t, 8192), guard.New(t, 8192)
	for _, k := range mixedKernels {
		for i, size := range sizes {
			mixedGuarded(t, k, size[0], size[1], 7*(i%3), a, x, y)
		}
	}
}

// mixedGuarded compares every tier with the exact result of small integers, with the arguments at both ends of their
// arenas.
func mixedGuarded(t *testing.T, k mixedKernel, m, n, gap int, as, xs, ys *guard.Arena) {
	t.Helper()
	var s mixedScene // holds what is to come out
	s.c.alpha, s.c.beta = 3, 2
	s.place(k, m, n, layout{gap: gap}, small(9))
	s.expect()
	prove.Tiers(func(tier cpu.Tier) {
		for _, end := range []string{"lower", "upper"} {
			c := s.c
			for _, arena := range []*guard.Arena{as, xs, ys} {
				arena.ReadOnly(t, false)
			}
			s.reset()
			c.a, c.x, c.y = copyTo(as, end, s.a.Data), copyTo(xs, end, s.x.Data), copyTo(ys, end, s.y.Data)
			as.ReadOnly(t, true)
			xs.ReadOnly(t, true)
			if at, faulted := guard.Fault(func() { k.run(&c) }); faulted {
				t.Fatalf("%s at the %s guard page: fault at %#x (a %t, x %t, y %t)",
					s.where(tier), end, at, as.Contains(at), xs.Contains(at), ys.Contains(at))
			}
			if k.y == none && c.sum != s.want {
				t.Fatalf("%s at the %s guard page: got %v, want %v", s.where(tier), end, c.sum, s.want)
			}
			for i, want := range s.y.Want() {
				if c.y[i] != want {
					t.Fatalf("%s at the %s guard page: element %d: got %v, want %v", s.where(tier), end, i, c.y[i],
						want)
				}
			}
		}
	})
	for _, arena := range []*guard.Arena{as, xs, ys} {
		arena.ReadOnly(t, false)
	}
}

// copyTo puts a copy of x at one end of an arena.
func copyTo[T float](arena *guard.Arena, end string, x []T) []T {
	p := guard.Head[T](arena, len(x))
	if end == "upper" {
		p = guard.Tail[T](arena, len(x))
	}
	copy(p, x)
	return p
}
