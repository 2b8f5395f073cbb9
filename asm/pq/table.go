//go:build (amd64 || arm64) && !purego

package pq

// TableL2 computes the squared distances of one point to ksub centroids, ksub a multiple of 8, which lie as in Assign
// and are added up in the same way:
//
//	for j := range ksub {
//		d := 0
//		for t := range dsub { e := q[t] - ct[t*ksub+j]; d = fma(e, e, d) }
//		dst[j] = d
//	}
//
//go:noescape
func TableL2(dsub, ksub int, q, ct, dst *float32)

// TableIP is TableL2 with inner products: d = fma(q[t], ct[t*ksub+j], d).
//
//go:noescape
func TableIP(dsub, ksub int, q, ct, dst *float32)
