package sort

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestGuardPages sorts between pages without rights, directly behind the lower one and directly before the upper one.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guardPages[float32], guardPages[float64])
}

func guardPages[T float](t *testing.T) {
	r := prove.Rand(10)
	lengths := []int{0, 1000, 3001}
	for n := 1; n < 600; n += 1 + n/20 {
		lengths = append(lengths, n)
	}
	xs, tmps := guard.New(t, 3001*8), guard.New(t, 3001*8)
	places := map[string]func(*guard.Arena, int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]}
	for _, n := range lengths {
		data := make([]T, n)
		fill("random", data, r)
		want := sorted(data, 0)
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range places {
				for window, to := range map[string]int{"all": n, "half": n / 2} {
					x, tmp := place(xs, n), place(tmps, n)
					copy(x, data)
					if addr, bad := guard.Fault(func() { sortFloats(x, tmp, 0, to, 0) }); bad {
						t.Fatalf("%v, n=%d, %s page, %s: fault at %#x", tier, n, end, window, addr)
					}
					if i := sameBits(x[:to], want[:to]); i >= 0 {
						t.Fatalf("%v, n=%d, %s page, %s: element %d is %v, want %v", tier, n, end, window, i, x[i], want[i])
					}
				}
			}
		})
	}
}
