package sparse

import (
	"os"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestTake: every tier takes the elements at their places, for every number of them up to 130, with every array at
// pages without rights and what is only read without the right to write.
func TestTake(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	t.Run("f32", func(t *testing.T) { take(t, TakeF32) })
	t.Run("f64", func(t *testing.T) { take(t, TakeF64) })
	t.Run("mixed", func(t *testing.T) { take(t, MixedTake) })
}

func take[T, S float](t *testing.T, f func(dst *T, x *S, idx *int, n int)) {
	const most = 8 * 131
	to, from, at := guard.New(t, most), guard.New(t, most), guard.New(t, most)
	r, odd := prove.Rand(9), prove.Odd[S](prove.Rand(10))
	for n := range 131 {
		for _, upper := range []bool{false, true} {
			from.ReadOnly(t, false)
			at.ReadOnly(t, false)
			dst, x, idx := guard.Head[T](to, n), guard.Head[S](from, 1+n/2), guard.Head[int](at, n)
			if upper {
				dst, x, idx = guard.Tail[T](to, n), guard.Tail[S](from, 1+n/2), guard.Tail[int](at, n)
			}
			for j := range x {
				x[j] = odd(j)
			}
			for k := range idx {
				idx[k] = r.IntN(len(x))
			}
			from.ReadOnly(t, true)
			at.ReadOnly(t, true)
			prove.Tiers(func(tier cpu.Tier) {
				for k := range dst {
					dst[k] = -5
				}
				run := func() { f(unsafe.SliceData(dst), &x[0], unsafe.SliceData(idx), n) }
				if at, bad := guard.Fault(run); bad {
					t.Fatalf("%v, n = %d: fault at %#x", tier, n, at)
				}
				for k, j := range idx {
					if want := T(x[j]); !prove.Same(dst[k], want) {
						t.Fatalf("%v, n = %d: %v at %d, want %v from %d", tier, n, dst[k], k, want, j)
					}
				}
				if n == 100 && prove.Allocs(2, run) != 0 {
					t.Errorf("%v: allocates", tier)
				}
			})
		}
	}
	from.ReadOnly(t, false)
	at.ReadOnly(t, false)
}
