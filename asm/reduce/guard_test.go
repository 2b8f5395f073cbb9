package reduce

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestGuardPages calls every kernel with each argument between pages without rights, once directly behind the lower one
// and once directly before the upper one, and x without the right to write: any touch outside faults.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guardPages[float32], guardPages[float64])
}

func guardPages[T float](t *testing.T) {
	const most = 65537
	x, dst, idx := guard.New(t, most*8), guard.New(t, most*8), guard.New(t, most*4)
	r := prove.Rand(4)
	for _, k := range kernels[T]() {
		for i, n := range lengths() {
			if testing.Short() && i > 70 && i%5 != 0 {
				continue
			}
			for _, rare := range []int{1, 3, 50} { // survivors: all, a third, few
				var s scene[T]
				s.place(k, n, [3]int{}, func(int) T { return T(1 - min(1, r.IntN(rare))) }, false)
				prove.Tiers(func(tier cpu.Tier) {
					s.guarded(t, tier, "lower", guard.Head[T](x, n), guard.Head[T](dst, n), guard.Head[int32](idx, n),
						x, dst, idx)
					s.guarded(t, tier, "upper", guard.Tail[T](x, n), guard.Tail[T](dst, n), guard.Tail[int32](idx, n),
						x, dst, idx)
				})
			}
		}
	}
}

// guarded runs the kernel on arguments at one end of their arenas and compares.
func (s *scene[T]) guarded(t *testing.T, tier cpu.Tier, end string, x, dst []T, idx []int32, arenas ...*guard.Arena) {
	t.Helper()
	copy(x, s.x.Data)
	s.c.x, s.c.dst, s.c.idx = x, dst, idx
	arenas[0].ReadOnly(t, true)
	at, faulted := guard.Fault(func() { s.run(&s.c) })
	arenas[0].ReadOnly(t, false)
	if faulted {
		t.Fatalf("%s at the %s guard page: fault at %#x (x %t, dst %t, idx %t)", s.where(tier), end, at,
			arenas[0].Contains(at), arenas[1].Contains(at), arenas[2].Contains(at))
	}
	if err := s.compare(); err != nil {
		t.Fatalf("%s at the %s guard page: %v", s.where(tier), end, err)
	}
}
