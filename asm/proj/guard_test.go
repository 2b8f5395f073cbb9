package proj

import (
	"math"
	"os"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestGuardPages calls every kernel with its arguments at pages without rights, input without the right to write.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guardPages[float32], guardPages[float64])
}

func guardPages[T float](t *testing.T) {
	const most = 4099
	in, out, positions := guard.New(t, most*8), guard.New(t, (most+16)*8), guard.New(t, (most+16)*4)
	r := prove.Rand(5)
	for _, n := range lengths() {
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				in.ReadOnly(t, false)
				a := place(in, n)
				for i := range a {
					a[i] = T(r.NormFloat64())
				}
				in.ReadOnly(t, true)
				at, faulted := guard.Fault(func() {
					maximaOf[T]()(ptr(place(out, 16)), ptr(a), n)
					x := place(out, n+16)
					for _, bound := range []T{-9, 0, 9} {
						aboveOf[T]()(ptr(x), ptr(a), n, bound)
					}
					x = place(out, n)
					for _, skip := range []T{T(math.Inf(-1)), 1} {
						clipOf[T]()(ptr(x), ptr(a), n, skip, 1, 0.1, 0, 2)
					}
					var m [16]T
					index := guard.Tail[int32](positions, n+16)
					if end == "lower" {
						index = guard.Head[int32](positions, n+16)
					}
					for k := range min(n, 3) {
						pruneOf[T]()(ptr(place(out, n+16)), &index[0], &m[0], ptr(a), nil, n, k, &pruneParameters[0][0])
					}
					keep := make([]T, n+16)
					index = make([]int32, n+16)
					pruneOf[T]()(&keep[0], &index[0], &m[0], ptr(a), ptr(place(out, n)), n, 0, &[]float32{9}[0])
					if 0 < n && n <= 8*64/int(unsafe.Sizeof(*new(T))) {
						for kind := range 5 {
							p := [SmallParams]float64{0.1, 1, 1, 0.1, 2}
							smallOf[T]()(ptr(x), ptr(a), n, 1, kind, &p[0])
						}
					}
				})
				if faulted {
					t.Fatalf("%v, n = %d at the %s guard page: fault at %#x (input %t, output %t)", tier, n, end, at,
						in.Contains(at), out.Contains(at))
				}
			}
		})
	}
	in.ReadOnly(t, false)
}
