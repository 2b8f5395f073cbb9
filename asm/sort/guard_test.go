package sort

import (
	"os"
	"slices"
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
	xs, idxs, rooms := guard.New(t, 3001*8), guard.New(t, 3001*4), guard.New(t, 2*3001*8)
	places := []places[T]{
		{"lower", guard.Head[T], guard.Head[int32], guard.Head[int64]},
		{"upper", guard.Tail[T], guard.Tail[int32], guard.Tail[int64]},
	}
	for _, n := range lengths {
		data := make([]T, n)
		fill("random", data, r)
		want, positions := sorted(data, 0), argOrder(data, 0)
		prove.Tiers(func(tier cpu.Tier) {
			for _, place := range places {
				run := func(name string, f func(x []T, idx []int32, room []int64), to int) {
					x, idx, room := place.floats(xs, n), place.idx(idxs, n), place.room(rooms, 2*n)
					copy(x, data)
					for i := range idx {
						idx[i] = int32(i)
					}
					if addr, bad := guard.Fault(func() { f(x, idx, room) }); bad {
						t.Fatalf("%v, n=%d, %s page, %s: fault at %#x", tier, n, place.name, name, addr)
					}
					if i := sameBits(x[:to], want[:to]); name != "argsort" && i >= 0 {
						t.Fatalf("%v, n=%d, %s page, %s: element %d is %v, want %v", tier, n, place.name, name, i, x[i],
							want[i])
					}
					if name[0] != 's' && !slices.Equal(idx, positions) {
						t.Fatalf("%v, n=%d, %s page, %s: positions %v, want %v", tier, n, place.name, name, idx,
							positions)
					}
				}
				run("sort", func(x []T, _ []int32, _ []int64) { sortFloats(x, 0, n, 0) }, n)
				run("sort half", func(x []T, _ []int32, _ []int64) { sortFloats(x, 0, n/2, 0) }, n/2)
				run("argsort", func(x []T, idx []int32, room []int64) { argsort(idx, x, room[n:], 0) }, n)
				run("pairs", func(x []T, idx []int32, room []int64) { pairs(x, idx, room, 0) }, n)
			}
		})
	}
}

// places put things at one end of their arenas.
type places[T float] struct {
	name   string
	floats func(*guard.Arena, int) []T
	idx    func(*guard.Arena, int) []int32
	room   func(*guard.Arena, int) []int64
}
