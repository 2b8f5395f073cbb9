package ints

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// compare runs every form on the arguments, some elements off a boundary.
func (k kernel) compare(t *testing.T, a *args, kind string, offset int) {
	t.Helper()
	want := *a
	k.twin(&want)
	prove.Forms(func(form string) {
		got, intact := k.poisoned(a, offset)
		k.run(got)
		err := k.diff(got, &want)
		if err == nil {
			err = intact()
		}
		if err != nil {
			t.Fatalf("%s on %s: %d rows of %d, %d apart, bytes %s, offset %d: %v", k.name, form, a.m, a.n, a.apart,
				kind, offset, err)
		}
	})
}

// rowCounts are the numbers of rows that a kernel is tried with: groups of 4 and 8 and what is left of them.
func (k kernel) rowCounts(i int) []int {
	if !k.rows {
		return []int{1}
	}
	return [][]int{{0, 1, 9}, {2, 8, 13}, {3, 4, 23}, {5, 7, 16}}[i%4]
}

// TestTwins compares every form with the twin at all lengths and many alignments.
func TestTwins(t *testing.T) {
	r := prove.Rand(1)
	for _, k := range kernels {
		for i, n := range lengths() {
			for j, f := range fills {
				for l, m := range k.rowCounts(i + j) {
					if prove.Visits(i, j+l, 3) {
						k.compare(t, k.draw(m, n, (i+l)%4*5, r, f.fill), f.name, (i+7*j+3*l)%64)
					}
				}
			}
		}
	}
}

// TestAlignments: every offset of a cache line, at lengths around the vectors' own.
func TestAlignments(t *testing.T) {
	r := prove.Rand(2)
	for _, k := range kernels {
		for offset := range 64 {
			for j, n := range []int{15, 16, 17, 63, 64, 65, 129, 300} {
				if prove.Visits(offset, j, 4) {
					k.compare(t, k.draw(k.rowCounts(offset)[0], n, offset%3, r, fills[0].fill), "any", offset)
				}
			}
		}
	}
}

// TestLong: sums of the largest products do not overflow up to the lengths that are promised.
func TestLong(t *testing.T) {
	r := prove.Rand(3)
	for _, k := range kernels {
		n := Chunk
		if k.size == 8 {
			n = 1 << 12
		}
		for _, f := range fills {
			for _, n := range []int{n, n - 1} {
				k.compare(t, k.draw(k.rowCounts(0)[min(1, len(k.rowCounts(0))-1)], n, 0, r, f.fill), f.name, 1)
			}
		}
	}
	for _, c := range []struct {
		name string
		n    int
	}{{"mulvecInt8", 1<<17 - 1}, {"mulvecUint8", 33025}, {"mixedmulvec", 65793}} {
		for _, k := range kernels {
			if k.name == c.name {
				for _, f := range fills[2:] {
					k.compare(t, k.draw(9, c.n, 1, r, f.fill), f.name, 5)
				}
			}
		}
	}
}

// TestGuardPages puts each argument between pages without rights, at either end: any touch outside faults.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	r := prove.Rand(4)
	var arenas []*guard.Arena
	for range 3 {
		arenas = append(arenas, guard.New(t, 24*1100*8))
	}
	for _, k := range kernels {
		for i, n := range lengths() {
			for l, m := range k.rowCounts(i) {
				if !prove.Visits(i, l, 3) {
					continue
				}
				a := k.draw(m, n, l, r, fills[0].fill)
				want := *a
				k.twin(&want)
				prove.Forms(func(form string) {
					for _, upper := range []bool{false, true} {
						got := a.guarded(t, arenas, upper)
						if address, faulted := guard.Fault(func() { k.run(got) }); faulted {
							t.Fatalf("%s on %s: %d rows of %d, upper end %v: fault at %#x", k.name, form, m, n, upper,
								address)
						}
						if err := k.diff(got, &want); err != nil {
							t.Fatalf("%s on %s: %d rows of %d, upper end %v: %v", k.name, form, m, n, upper, err)
						}
					}
				})
			}
		}
	}
}

// TestAliasing: arguments that are only read may be the same.
func TestAliasing(t *testing.T) {
	r := prove.Rand(5)
	for _, k := range kernels {
		for _, n := range []int{0, 1, 17, 100, 321} {
			a := k.draw(1, n, 0, r, fills[0].fill)
			a.y = a.x
			want := *a
			if want.dst != nil {
				want.dst = make([]int32, len(a.dst))
			}
			k.twin(&want)
			prove.Forms(func(form string) {
				k.run(a)
				if err := k.diff(a, &want); err != nil {
					t.Fatalf("%s on %s: %d elements with themselves: %v", k.name, form, n, err)
				}
			})
		}
	}
}

func TestAllocs(t *testing.T) {
	r := prove.Rand(6)
	prove.Forms(func(form string) {
		for _, k := range kernels {
			a := k.draw(9, 200, 0, r, fills[0].fill)
			if n := prove.Allocs(3, func() { k.run(a) }); n != 0 {
				t.Errorf("%s on %s: %v allocations", k.name, form, n)
			}
		}
	})
}

// FuzzKernels compares every form of every kernel with its twin on the bytes.
func FuzzKernels(f *testing.F) {
	f.Add([]byte{0x80, 0x80, 0xff, 0x7f, 1, 2, 3}, uint8(3), uint8(5), uint16(70))
	f.Add([]byte{0xff}, uint8(9), uint8(0), uint16(300))
	f.Add([]byte("bytes of all kinds, none of them special"), uint8(1), uint8(63), uint16(15))
	f.Fuzz(func(t *testing.T, data []byte, rows, place uint8, length uint16) {
		for _, k := range kernels {
			m, n := 1, int(length)%700
			if k.rows {
				m = int(rows) % 20
			}
			a := k.draw(m, n, int(place)%5, nil, func(x []byte, _ *rand.Rand) {
				for i := range x {
					x[i] = byte(i >> 3)
					if len(data) > 0 {
						x[i] = data[i%len(data)] + byte(i/len(data))
					}
				}
			})
			k.compare(t, a, "fuzz", int(place)%64)
		}
	})
}
