package blas

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestGuardPages calls every kernel with each argument between pages without rights, once directly behind the lower one
// and once directly before the upper one, and what is only read without the right to write: any touch outside faults.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guardPages[float32], guardPages[float64])
}

func guardPages[T float](t *testing.T) {
	shapes := [][2]int{{3, 140}, {9, 67}, {2, 225}, {17, 33}, {35, 10}, {67, 7}, {33, 14}}
	lengths := lengths()
	if testing.Short() {
		lengths = append(lengths[:70:70], lengths[128:]...)
	}
	for n := range 45 {
		shapes = append(shapes, [2]int{n % 19, n})
	}
	const most = 65537
	x, y, a := guard.New(t, most*8), guard.New(t, most*8), guard.New(t, 8*8192)
	for _, k := range kernels[T]() {
		if k.matrix {
			for _, shape := range shapes {
				for gap := range 3 {
					guarded(t, k, shape[0], shape[1], shape[1]+7*gap, x, y, a)
				}
			}
			continue
		}
		for _, n := range lengths {
			guarded(t, k, 1, n, n, x, y, a)
		}
	}
}

// guarded compares every tier with the exact result of small integers, with the arguments at both ends of their arenas.
func guarded[T float](t *testing.T, k kernel[T], m, n, lda int, xs, ys, as *guard.Arena) {
	t.Helper()
	r := prove.Rand(10)
	var s scene[T] // holds what is to come out
	s.c.alpha, s.c.beta = 3, 2
	s.place(k, m, n, layout{gap: lda - n}, source[T]{prove.Odd[T](r), prove.Even[T](r), prove.Even[T](r)}, false)
	s.expect()
	want := s.output()

	prove.Tiers(func(tier cpu.Tier) {
		for end, place := range map[string]func(*guard.Arena, int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
			c := s.c
			arg := func(arena *guard.Arena, from *prove.Memory[T], writes bool) []T {
				arena.ReadOnly(t, false)
				p := place(arena, len(from.Data))
				copy(p, from.Data)
				arena.ReadOnly(t, !writes)
				return p
			}
			c.x = arg(xs, &s.x, k.out == outX)
			c.y = arg(ys, &s.y, k.out == outY)
			c.a = arg(as, &s.a, k.out == outA)
			at, faulted := guard.Fault(func() { k.run(&c) })
			if faulted {
				t.Fatalf("%s on %v: m=%d n=%d lda=%d at the %s guard page: fault at %#x (x %t, y %t, a %t)", k.name,
					tier, m, n, lda, end, at, xs.Contains(at), ys.Contains(at), as.Contains(at))
			}
			if want == nil && c.sum != s.want {
				t.Fatalf("%s on %v: n=%d at the %s guard page: got %v, want %v", k.name, tier, n, end, c.sum, s.want)
			}
			if want != nil {
				got := [][]T{outX: c.x, outY: c.y, outA: c.a}[k.out]
				for i := range want.Elements {
					if got[i] != want.Want()[i] {
						t.Fatalf("%s on %v: m=%d n=%d at the %s guard page: element %d: got %v, want %v", k.name, tier,
							m, n, end, i, got[i], want.Want()[i])
					}
				}
			}
		}
	})
	for _, arena := range []*guard.Arena{xs, ys, as} {
		arena.ReadOnly(t, false)
	}
}
