package pq

import (
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestTwins compares every tier with the twin, bit by bit, on numbers of every kind, at all alignments.
func TestTwins(t *testing.T) {
	r := prove.Rand(1)
	all := draws(r)
	kinds := make([]string, 0, len(all))
	for kind := range all {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, k := range kernels {
		for i, shape := range k.shapes {
			if testing.Short() && i%5 != 0 {
				continue
			}
			for j, kind := range kinds {
				if testing.Short() && (i+j)%3 != 0 {
					continue
				}
				a := args{size: shape, apart: (i + j) % 4}
				k.place(&a, r, all[kind])
				k.compare(t, &a, kind, (i+7*j)%16)
			}
		}
	}
}

// compare runs every tier on the arguments, some elements off a boundary.
func (k kernel) compare(t *testing.T, a *args, kind string, offset int) {
	t.Helper()
	want := *a
	k.twin(&want)
	prove.Forms(func(form string) {
		p := &poisoned{offset: offset}
		got := a.placed(p)
		k.run(got)
		err := got.diff(&want)
		if err == nil {
			err = p.intact()
		}
		if err != nil {
			t.Fatalf("%s on %s: sizes %v, %d apart, numbers %s, offset %d: %v", k.name, form, a.size, a.apart, kind,
				offset, err)
		}
	})
}

// TestGuardPages puts each argument between pages without rights, at either end: any touch outside faults.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	r := prove.Rand(2)
	g := newGuarded(t)
	for _, k := range kernels {
		for i, shape := range k.shapes {
			if testing.Short() && i%7 != 0 {
				continue
			}
			a := args{size: shape, apart: i % 3}
			k.place(&a, r, prove.Draw[float32]("uniform", r))
			want := a
			k.twin(&want)
			prove.Tiers(func(tier cpu.Tier) {
				for _, g.upper = range []bool{false, true} {
					g.next = 0
					got := a.placed(g)
					if address, faulted := guard.Fault(func() { k.run(got) }); faulted {
						t.Fatalf("%s on %v: sizes %v, %d apart, upper end %v: fault at %#x", k.name, tier, shape,
							a.apart, g.upper, address)
					}
					if err := got.diff(&want); err != nil {
						t.Fatalf("%s on %v: sizes %v, %d apart, upper end %v: %v", k.name, tier, shape, a.apart,
							g.upper, err)
					}
				}
			})
		}
	}
}

// TestWithoutVBMI: on a CPU with AVX-512 but not its extension the entries go elsewhere, to the same result.
func TestWithoutVBMI(t *testing.T) {
	defer func(old bool) { cpu.VBMI = old }(cpu.VBMI)
	r := prove.Rand(3)
	for _, cpu.VBMI = range []bool{false, cpu.VBMI} {
		for _, k := range kernels {
			if k.name == "scan8" {
				a := args{size: [3]int{2, 9, 0}}
				k.place(&a, r, nil)
				k.compare(t, &a, "none", 3)
			}
		}
	}
}

func TestAllocs(t *testing.T) {
	r := prove.Rand(4)
	prove.Tiers(func(tier cpu.Tier) {
		for _, k := range kernels {
			a := args{size: k.shapes[len(k.shapes)-1]}
			k.place(&a, r, prove.Draw[float32]("uniform", r))
			if n := prove.Allocs(3, func() { k.run(&a) }); n != 0 {
				t.Errorf("%s on %v: %v allocations", k.name, tier, n)
			}
		}
	})
}

// FuzzKernels compares every tier of every kernel with its twin on numbers made of the bytes, NaN excepted.
func FuzzKernels(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8}, uint8(1), uint16(3), uint8(5))
	f.Add([]byte("numbers of all sizes, none of them special"), uint8(2), uint16(77), uint8(11))
	f.Add([]byte{0, 0, 128, 127, 0, 0, 128, 255, 1, 0, 0, 0, 9, 9, 9, 63}, uint8(3), uint16(200), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, seed uint8, shape uint16, place uint8) {
		data = append(data, 0, 0, 0, 0)
		pos := 0
		next := func(int) float32 {
			v := prove.FromBits[float32](uint64(binary.LittleEndian.Uint32(data[pos:])))
			if pos++; pos+4 > len(data) {
				pos = 0
			}
			if v != v {
				return 1
			}
			return v
		}
		for _, k := range kernels {
			a := args{size: k.shapes[int(shape)%len(k.shapes)], apart: int(place) % 5}
			k.place(&a, prove.Rand(uint64(seed)), next)
			k.compare(t, &a, "fuzz", int(place)%16)
		}
	})
}
