package pq

import "unsafe"

func quantizeGeneric(n int, x *float32, origin, factor float32, limit uint32, dst *uint8) {
	out := unsafe.Slice(dst, n)
	for i, v := range unsafe.Slice(x, n) {
		out[i] = uint8(min(uint32(int32((v-origin)*factor)), limit))
	}
}
