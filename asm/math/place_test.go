package math

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// lengths are those at which kernels take another path: every one up to several vectors, and some longer. The last ones
// are left out by -short.
func lengths() (n []int) {
	for i := range 131 {
		n = append(n, i)
	}
	if !testing.Short() {
		n = append(n, 255, 256, 257, 1023, 4096+7)
	}
	return n
}

// arguments draws arguments of which a few need special care, so that they meet others in one vector and one block.
func arguments[T float](k kernel[T], seed uint64) func(int) T {
	r := prove.Rand(seed)
	hard := k.hard()
	return func(int) T {
		if r.IntN(40) == 0 {
			return hard[r.IntN(len(hard))]
		}
		return T(6 * r.Float64())
	}
}

// TestPlace: a result depends on the argument alone, to the last bit, wherever it stands among others. All lengths and
// alignments, x apart from y and the same, poison around.
func TestPlace(t *testing.T) { prove.Both(t, place[float32], place[float64]) }

func place[T float](t *testing.T) {
	for i, k := range kernels[T]() {
		from := arguments(k, uint64(i))
		var x, y prove.Memory[T]
		var alone [4096 + 7]T
		for _, n := range lengths() {
			for at := range 16 {
				if n > 40 && at%5 != n%5 {
					continue
				}
				x.Place(at, 1, n, n, from)
				y.Place((7*at+n)%16, 1, n, n, func(int) T { return prove.Poison[T]() })
				prove.Tiers(func(tier cpu.Tier) {
					x.Reset()
					for i, v := range x.Data {
						in := [1]T{v}
						k.run(-1.25, in[:], alone[i:][:1])
					}
					copy(x.Want(), x.Data)
					copy(y.Want(), alone[:])
					y.Reset()
					k.run(-1.25, x.Data, y.Data)
					for _, m := range []*prove.Memory[T]{&x, &y} {
						if err := m.Diff(false); err != nil {
							t.Fatalf("%s on %v, n=%d: %v", k.name, tier, n, err)
						}
					}
					copy(x.Want(), alone[:])
					k.run(-1.25, x.Data, x.Data)
					if err := x.Diff(false); err != nil {
						t.Fatalf("%s on %v, n=%d in place: %v", k.name, tier, n, err)
					}
				})
			}
		}
	}
}

// TestGuardPages lets x and y lie between pages without rights, directly behind the lower one and directly before the
// upper one, and x without the right to write.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guardPages[float32], guardPages[float64])
}

func guardPages[T float](t *testing.T) {
	xs, ys := guard.New(t, 8*8192), guard.New(t, 8*8192)
	for i, k := range kernels[T]() {
		from := arguments(k, uint64(i))
		for _, n := range lengths() {
			want := make([]T, n)
			prove.Tiers(func(tier cpu.Tier) {
				for end, place := range map[string]func(*guard.Arena,
					int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
					xs.ReadOnly(t, false)
					x, y := place(xs, n), place(ys, n)
					for i := range x {
						x[i] = from(i)
					}
					k.run(2, append([]T(nil), x...), want)
					xs.ReadOnly(t, true)
					if at, faulted := guard.Fault(func() { k.run(2, x, y) }); faulted {
						t.Fatalf("%s on %v: n=%d at the %s guard page: fault at %#x (x %t, y %t)", k.name, tier, n, end,
							at, xs.Contains(at), ys.Contains(at))
					}
					for i := range want {
						if !prove.Same(y[i], want[i]) {
							t.Fatalf("%s on %v: n=%d at the %s guard page: element %d is %v, want %v", k.name, tier, n,
								end, i, y[i], want[i])
						}
					}
				}
			})
		}
		xs.ReadOnly(t, false)
	}
}
