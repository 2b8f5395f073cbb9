//go:build (amd64 || arm64) && !purego

package pq

// Pack copies 16 points at a time into the order in which Assign wants them, coordinate by coordinate:
//
//	for b := range blocks {
//		for t := range dsub {
//			for l := range 16 { dst[(b*dsub+t)*16+l] = x[(16*b+l)*ldx+t] }
//		}
//	}
//
//go:noescape
func Pack(blocks, dsub int, x *float32, ldx int, dst *float32)
