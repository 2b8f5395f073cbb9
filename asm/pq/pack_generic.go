package pq

import "unsafe"

func packGeneric(blocks, dsub int, x *float32, ldx int, dst *float32) {
	if blocks == 0 || dsub == 0 {
		return
	}
	points := unsafe.Slice(x, (blocks*Lanes-1)*ldx+dsub)
	out := unsafe.Slice(dst, blocks*dsub*Lanes)
	for b := range blocks {
		to := out[b*dsub*Lanes:][:dsub*Lanes]
		for l := range Lanes {
			for t, v := range points[(b*Lanes+l)*ldx:][:dsub] {
				to[t*Lanes+l] = v
			}
		}
	}
}
