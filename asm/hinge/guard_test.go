package hinge

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestGuardPages visits with every argument at pages without rights, the scores without the right to write.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guardPages[float32], guardPages[float64])
}

func guardPages[T prove.Float](t *testing.T) {
	const most = 200
	duals, scores, moves, scratch := guard.New(t, most*8), guard.New(t, most*8), guard.New(t, most*8),
		guard.New(t, most*8)
	rng := prove.Rand(7)
	for m := 2; m <= 130; m++ {
		p := draw[T](rng, m, 1)
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				scores.ReadOnly(t, false)
				a, s, delta := place(duals, m), place(scores, m), place(moves, room(m))
				u := guard.Tail[float64](scratch, room(m))
				if end == "lower" {
					u = guard.Head[float64](scratch, room(m))
				}
				copy(a, p.a)
				copy(s, p.s)
				scores.ReadOnly(t, true)
				at, faulted := guard.Fault(func() {
					stepOf[T]()(&a[0], &s[0], &delta[0], m, p.y, &u[0], p.inv, p.r, p.term, p.negligible)
				})
				if faulted {
					t.Fatalf("%v, m = %d at the %s guard page: fault at %#x", tier, m, end, at)
				}
			}
		})
	}
	scores.ReadOnly(t, false)
}
