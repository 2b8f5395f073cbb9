package math

import (
	"encoding/binary"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// FuzzRows holds every tier to what becomes of each place alone. The bytes become products and norms, any NaN or
// infinity included.
func FuzzRows(f *testing.F) {
	f.Add([]byte("numbers of all sizes, and some more of them"))
	f.Add([]byte{0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 176, 66, 0, 0, 128, 127, 0, 0, 192, 255, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRows[float32](t, data)
		fuzzRows[float64](t, data)
	})
}

func fuzzRows[T float](t *testing.T, data []byte) {
	size := prove.Pick[T, int](4, 8)
	var x []T
	for ; len(data) >= size && len(x) < 400; data = data[size:] {
		var b [8]byte
		copy(b[:], data[:size])
		x = append(x, prove.FromBits[T](binary.LittleEndian.Uint64(b[:])))
	}
	n := len(x) / 2
	if n == 0 {
		return
	}
	v, nz, y, near := x[:n], x[n:][:n], make([]T, n), make([]int32, n)
	for i, k := range rows[T]() {
		prove.Tiers(func(tier cpu.Tier) {
			clear(y)
			count, at := k.run(v, nz, y, near), 0
			for j := range n {
				want, isNear := k.want(v[j], nz[j], 0)
				if !prove.Same(y[j], want) {
					t.Errorf("%s on %v, case %d: v=%v nz=%v: %v, want %v", k.name, tier, i, v[j], nz[j], y[j], want)
				}
				if isNear && (at >= count || near[at] != int32(j)) {
					t.Errorf("%s on %v, case %d: place %d (%v, %v) is not in %v",
						k.name, tier, i, j, v[j], nz[j], near[:count])
				}
				if isNear {
					at++
				}
			}
			if at != count {
				t.Errorf("%s on %v, case %d: %d near places, want %d", k.name, tier, i, count, at)
			}
		})
	}
}
