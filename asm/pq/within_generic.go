package pq

import (
	"math"
	"unsafe"
)

func withinGeneric(n int, s *uint16, kept *float32, fields *float32, first uint32, dst *uint32) (count int) {
	if n == 0 {
		return 0
	}
	out, all, limit := unsafe.Slice(dst, n), unsafe.Slice(kept, 2*Block+n), (*Limit)(unsafe.Pointer(fields))
	for i, sum := range unsafe.Slice(s, n) {
		u, e, scale := all[i], all[Block+i], all[2*Block+i]
		t := fma(-limit.Step, float32(sum), limit.Origin) * scale
		d := fma(limit.Width, scale, limit.Off)
		at := abs(t)
		w := fma(-at, at-(d+d), limit.Square)
		g := fma(limit.Norms, fma(u, u, e), limit.Base)
		g = fma(-u, t, g)
		g = fma(-abs(u), d, g)
		if !(g*abs(g) > fma(limit.Kappa*e, w, limit.Tiny)) {
			out[count] = first + uint32(i)
			count++
		}
	}
	return count
}

func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }
