package half

import (
	"math"
	"os"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestCast: conversions of every length write their elements and nothing else.
func TestCast(t *testing.T) {
	for _, f := range formats {
		r := prove.Rand(5)
		for j, n := range lengths() {
			var x prove.Memory[float32]
			x.Place(j%16, 1, n, n, func(int) float32 {
				if r.IntN(3) == 0 { // NaNs, some with the lower half of their payload alone
					return math.Float32frombits(0x7f800001 | r.Uint32()&0x803f2fff>>(r.Uint32()%2*8))
				}
				return math.Float32frombits(r.Uint32())
			})
			y := f.place(j%32, 1, n, 0, func(int) float32 { return 1 })
			copy(y.was[margin+j%32:], y.Data)
			for i, v := range x.Data {
				y.was[margin+j%32+i] = f.round(v)
			}
			prove.Forms(func(form string) {
				for i := range y.Data {
					y.Data[i] = 1
				}
				f.narrow(first(x.Data), first(y.Data), n)
				if err := x.Diff(false); err != nil || y.changed() {
					t.Fatalf("%s %s n=%d: narrow: input %v, output wrong: %v", form, f.name, n, err, y.changed())
				}
			})
			for i := range x.Want() {
				x.Want()[i] = f.from(y.Data[i])
			}
			prove.Forms(func(form string) {
				clear(x.Data)
				f.widen(first(y.Data), first(x.Data), n)
				if err := x.Diff(false); err != nil || y.changed() {
					t.Fatalf("%s %s n=%d: widen: %v, input changed: %v", form, f.name, n, err, y.changed())
				}
			})
		}
	}
}

func TestCastGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	a, b := guard.New(t, 4096), guard.New(t, 4096)
	for _, f := range formats {
		for n := range 140 {
			for _, tail := range []bool{false, true} {
				h, g := guard.Head[uint16](a, n), guard.Head[float32](b, n)
				if tail {
					h, g = guard.Tail[uint16](a, n), guard.Tail[float32](b, n)
				}
				ph, pg := ptr(h), ptr(g)
				prove.Forms(func(form string) {
					if addr, bad := guard.Fault(func() {
						f.widen(ph, pg, n)
						f.narrow(pg, ph, n)
					}); bad {
						t.Fatalf("%s %s n=%d, tail %v: fault at %#x", form, f.name, n, tail, addr)
					}
				})
			}
		}
	}
}

// ptr is where x lies, also where it has no elements.
func ptr[T any](x []T) *T { return unsafe.SliceData(x) }
