package math

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestRowsGuardPages lets all operands lie between pages without rights, the inputs without the right to write.
func TestRowsGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, rowsGuardPages[float32], rowsGuardPages[float64])
}

func rowsGuardPages[T float](t *testing.T) {
	vs, nzs, ys, nears := guard.New(t, 5*8192), guard.New(t, 5*8192), guard.New(t, 5*8192), guard.New(t, 5*8192)
	all, draw := rows[T](), products[T](6, 4)
	for _, n := range lengths()[1:] { // run takes the address of near[0]
		for _, end := range []struct {
			name   string
			place  func(*guard.Arena, int) []T
			places func(*guard.Arena, int) []int32
		}{{"lower", guard.Head[T], guard.Head[int32]}, {"upper", guard.Tail[T], guard.Tail[int32]}} {
			v, nz, y, near := end.place(vs, n), end.place(nzs, n), end.place(ys, n), end.places(nears, n)
			for j := range v {
				v[j], nz[j] = draw()
			}
			vs.ReadOnly(t, true)
			nzs.ReadOnly(t, true)
			for _, k := range all {
				prove.Tiers(func(tier cpu.Tier) {
					if at, faulted := guard.Fault(func() { k.run(v, nz, y, near) }); faulted {
						t.Fatalf("%s on %v: n=%d at the %s guard page: fault at %#x (v %t, nz %t, y %t, near %t)",
							k.name, tier, n, end.name, at, vs.Contains(at), nzs.Contains(at), ys.Contains(at),
							nears.Contains(at))
					}
				})
			}
			vs.ReadOnly(t, false)
			nzs.ReadOnly(t, false)
		}
	}
}

func TestRowsAllocations(t *testing.T) {
	prove.Both(t, rowsAllocations[float32], rowsAllocations[float64])
}

func rowsAllocations[T float](t *testing.T) {
	v, nz, y, near := make([]T, 33), make([]T, 33), make([]T, 33), make([]int32, 33)
	for _, k := range rows[T]() {
		prove.Tiers(func(tier cpu.Tier) {
			if n := prove.Allocs(10, func() { k.run(v, nz, y, near) }); n != 0 {
				t.Errorf("%s on %v: %v allocations", k.name, tier, n)
			}
		})
	}
}

// TestRowsEmpty: without elements no memory is touched.
func TestRowsEmpty(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		n := 0
		for add := range 2 {
			n += GaussianF32(1, -1, 1, nil, nil, nil, 0, nil, add) + GaussianF64(1, -1, 1, nil, nil, nil, 0, nil, add)
		}
		if n != 0 {
			t.Errorf("%v: %d near places of none", tier, n)
		}
		for add := range 2 {
			PowerF32(1, 1, 1, 3, nil, nil, 0, add)
			PowerF64(1, 1, 1, 3, nil, nil, 0, add)
		}
	})
}
