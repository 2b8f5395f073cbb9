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
	for i := range blocks {
		x := points[i*dsub*Lanes:][:dsub*Lanes]
		var best [Lanes]uint8
		var least [Lanes]uint32
		for l := range least {
			least[l] = math.MaxUint32
		}
		for j := range ksub {
			var d [Lanes]float32
			for t := range dsub {
				addSquares(&d, (*[Lanes]float32)(x[t*Lanes:]), centroids[t*ksub+j])
			}
			for l, v := range d {
				if b := math.Float32bits(v); b < least[l] {
					least[l], best[l] = b, uint8(j)
				}
			}
		}
		for l, b := range least {
			outCodes[(i*Lanes+l)*stride], outDist[i*Lanes+l] = best[l], math.Float32frombits(b)
			worst = max(worst, b)
		}
	}
	return worst
}

// addSquares adds fma(x-c, x-c, d) to each d: fma written out for what is not negative, for it does not inline.
func addSquares(d, x *[Lanes]float32, c float32) {
	for l, v := range x {
		e := v - c
		s := float64(e)*float64(e) + float64(d[l])
		if b := math.Float64bits(s); b&beyond == halfway || b < leastNormal {
			d[l] = fmaExact(float64(e)*float64(e), float64(d[l]))
		} else {
			d[l] = float32(s)
		}
	}
}
