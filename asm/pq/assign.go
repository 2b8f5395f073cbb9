//go:build (amd64 || arm64) && !purego

package pq

// Assign finds for each point the nearest of ksub centroids, ksub = 8, 16, ..., 256. Points come as Pack leaves them,
// the centroids coordinate by coordinate: ct[t*ksub+j] is coordinate t of centroid j. With fma(a, b, c) = ab + c
// rounded once,
//
//	for i := range 16*blocks {
//		for j := range ksub {
//			d[j] = 0
//			for t := range dsub { e := x[t] - c[j][t]; d[j] = fma(e, e, d[j]) }
//		}
//		best := the least j with the least d[j]
//		codes[i*stride], dist[i] = best, d[best]
//	}
//	return the largest of the dist
//
// d is compared by its bits, as unsigned numbers: that is its order, infinity and NaN come last, and the result, again
// bits, tells whether any point had no finite distance.
//
//go:noescape
func Assign(blocks, dsub, ksub int, xt, ct *float32, codes *uint8, stride int, dist *float32) uint32
