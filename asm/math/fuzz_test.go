package math

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

func FuzzExpAlone(f *testing.F)  { fuzz(f, "exp") }
func FuzzLog(f *testing.F)       { fuzz(f, "log") }
func FuzzExpScaled(f *testing.F) { fuzz(f, "expscaled") }

// fuzz compares every tier with the twin: each of the two is a neighbour of the exact result, so they are two steps
// apart at most, at a power of two. The bytes become alpha and the arguments, any NaN or infinity included.
func fuzz(f *testing.F, name string) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{0, 0, 128, 63, 0, 0, 176, 66, 0, 0, 176, 194, 0, 0, 206, 194, 0, 0, 128, 127, 0, 0, 192, 255, 0, 0, 0,
		128})
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x30\x86\x40\x00\x00\x00\x00\x00\x30\x86\xc0" +
		"numbers of all sizes"))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzOne[float32](t, name, data)
		fuzzOne[float64](t, name, data)
	})
}

func fuzzOne[T float](t *testing.T, name string, data []byte) {
	size := prove.Pick[T, int](4, 8)
	var x []T
	for ; len(data) >= size && len(x) < 300; data = data[size:] {
		var b [8]byte
		copy(b[:], data[:size])
		x = append(x, prove.FromBits[T](binary.LittleEndian.Uint64(b[:])))
	}
	if len(x) == 0 {
		return
	}
	alpha, x := x[0], x[1:]
	for _, k := range kernels[T]() {
		if k.name != name {
			continue
		}
		want, got := make([]T, len(x)), make([]T, len(x))
		func() {
			defer cpu.Set(cpu.Set(cpu.Generic))
			k.run(alpha, x, want)
		}()
		prove.Tiers(func(tier cpu.Tier) {
			k.run(alpha, x, got)
			for i, v := range x {
				if steps := apart(got[i], want[i]); steps > 2 {
					t.Errorf("%s on %v: alpha=%v x=%v: got %v, the twin %v: %d steps", k.name, tier, alpha, v, got[i],
						want[i], steps)
				}
			}
		})
	}
}

// apart counts the numbers of the type from a to b; +0 and -0 are one.
func apart[T float](a, b T) uint64 {
	if a != a || b != b {
		if a != a && b != b {
			return 0
		}
		return math.MaxUint64
	}
	order := func(v T) int64 {
		if v < 0 {
			return -int64(prove.Bits(-v))
		}
		return int64(prove.Bits(v + 0))
	}
	d := order(a) - order(b)
	return uint64(max(d, -d))
}
