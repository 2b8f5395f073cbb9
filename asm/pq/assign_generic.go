package pq

import (
	"math"
	"unsafe"
)

func assignGeneric(blocks, dsub, ksub int, xt, ct *float32, codes *uint8, stride int, dist *float32) (worst uint32) {
	if blocks == 0 {
		return 0
	}
	points := unsafe.Slice(xt, blocks*dsub*Lanes)
	centroids := unsafe.Slice(ct, dsub*ksub)
	outCodes := unsafe.Slice(codes, (blocks*Lanes-1)*stride+1)
	outDist := unsafe.Slice(dist, blocks*Lanes)
	for i := range blocks * Lanes {
		x := points[i/Lanes*dsub*Lanes+i%Lanes:]
		least, best := uint32(math.MaxUint32), 0
		for j := range ksub {
			var d float32
			for t := range dsub {
				e := x[t*Lanes] - centroids[t*ksub+j]
				d = fma(e, e, d)
			}
			if b := math.Float32bits(d); b < least {
				least, best = b, j
			}
		}
		outCodes[i*stride], outDist[i] = uint8(best), math.Float32frombits(least)
		worst = max(worst, least)
	}
	return worst
}
