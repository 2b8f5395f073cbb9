package pq

import (
	"math"
	"unsafe"
)

func withinGeneric(n int, s *uint16, kept *float32, fields *float32, first uint32, dst *uint32) (count int) {
	if n == 0 {
		return 0
	}
	out, all, limit := unsafe.Slice(dst, n), unsafe.Slice(kept, 3*Block+n), (*Limit)(unsafe.Pointer(fields))
	for i, sum := range unsafe.Slice(s, n) {
		u, e, scale, half := all[i], all[Block+i], all[2*Block+i], all[3*Block+i]
		t, norm := fma(fma(-limit.Step, float32(sum), limit.Origin), scale, limit.Part*half), fma(u, u, e)
		w := fma(-t, t, limit.Square)
		g := fma(-u, t, fma(limit.Norms, norm, limit.Base))
		if !(g*abs(g) > fma(limit.Kappa*e, w, limit.Tiny)) || t*abs(t)*norm > u*limit.Aligned*u {
			out[count] = first + uint32(i)
			count++
		}
	}
	return count
}

func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }
