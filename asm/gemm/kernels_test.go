package gemm

import (
	"os"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

func ptr[T float](x []T) *T { return unsafe.SliceData(x) }

// TestKernels: sums of small integers have one result in every order. All small sizes and every height and width of a
// tile, packed or not, at any alignment, with poison around.
func TestKernels(t *testing.T) { prove.Both(t, kernels[float32], kernels[float64]) }

func kernels[T float](t *testing.T) {
	r := prove.Rand(1)
	most, random := 17, 2000
	if testing.Short() {
		most, random = 7, 200
	}
	prove.Tiers(func(tier cpu.Tier) {
		for m := range most {
			for n := range most {
				for _, s := range packScenes[T](r, m, n) {
					s.check(t, tier)
				}
				for _, k := range []int{0, 1, 2, 5, 17} {
					tilesScene[T](r, m, n, k).check(t, tier)
					dotsScene[T](r, m, n, k).check(t, tier)
				}
			}
		}
		for range random {
			tilesScene[T](r, r.IntN(40), r.IntN(80), r.IntN(20)).check(t, tier)
			dotsScene[T](r, r.IntN(20), r.IntN(20), r.IntN(80)).check(t, tier)
		}
		for range random / 10 {
			for _, s := range packScenes[T](r, r.IntN(70), r.IntN(70)) {
				s.check(t, tier)
			}
		}
	})
}

// TestEveryTile calls each loop of Tiles, and what comes before long ones: from 64 terms on, C is asked for.
func TestEveryTile(t *testing.T) { prove.Both(t, everyTile[float32], everyTile[float64]) }

func everyTile[T float](t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		s := shapeOf[T]()
		var a, b, c, want [64 * 64]T
		for i := range a {
			a[i], b[i] = T(i%5-2), T(i%7-3)
		}
		for i, limit := range s.rows {
			for mr := 1; mr <= limit; mr++ {
				for nr := 1; nr <= (i+1)*s.lanes; nr++ {
					for _, k := range []int{9, 64} {
						clear(c[:])
						clear(want[:])
						tiles(mr, nr, k, 1, &a[0], k, 1, mr, 0, &b[0], nr, nr, 0, 0, &c[0], nr)
						tilesGeneric(mr, nr, k, 1, &a[0], k, 1, mr, 0, &b[0], nr, nr, 0, 0, &want[0], nr)
						if c != want {
							t.Fatalf("%v: tile of %d rows and %d columns, %d terms", tier, mr, nr, k)
						}
					}
				}
			}
		}
	})
}

// TestGuard puts each operand against a page that must not be touched, first behind it, then before it.
func TestGuard(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guarded[float32], guarded[float64])
}

func guarded[T float](t *testing.T) {
	arenas := [3]*guard.Arena{guard.New(t, 1<<16), guard.New(t, 1<<16), guard.New(t, 1<<16)}
	r := prove.Rand(2)
	random := 150
	if testing.Short() {
		random = 20
	}
	for _, place := range []func(a *guard.Arena, n int) []T{guard.Tail[T], guard.Head[T]} {
		for range random {
			m, n, k := r.IntN(20), r.IntN(40), r.IntN(20)
			prove.Tiers(func(tier cpu.Tier) {
				scenes := append(packScenes[T](r, m, k), tilesScene[T](r, m, n, k), dotsScene[T](r, m, n, k))
				for _, s := range scenes {
					for i, o := range append(s.in, s.out) {
						o.Reset()
						data := place(arenas[i], len(o.Data))
						copy(data, o.Data)
						o.Data = data
					}
					for i := range s.in {
						arenas[i].ReadOnly(t, true)
					}
					if addr, bad := guard.Fault(s.run); bad {
						t.Fatalf("%s on %v: fault at %#x", s.name, tier, addr)
					}
					for i := range s.in {
						arenas[i].ReadOnly(t, false)
					}
				}
			})
		}
	}
}
