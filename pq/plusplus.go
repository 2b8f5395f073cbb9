package pq

import (
	"math/rand/v2"

	kernel "github.com/dualgap/dualgap/asm/pq"
)

// plusPlus draws the first centroids by k-means++ (Arthur and Vassilvitskii 2007): each new one is a point drawn with
// probability proportional to its squared distance to the nearest so far. It costs 8 iterations of k-means with 256
// centroids: the kernel takes no fewer than 8 centroids at once, all of them the new one.
func (s *subspace) plusPlus(r *rand.Rand, n, ksub int) {
	const copies = 8
	columns := make([]float32, copies*s.dsub)
	nearest := make([]float32, len(s.dist))
	next := 0
	for c := range ksub {
		point := s.points[next*s.dsub:][:s.dsub]
		copy(s.centroids[c*s.dsub:], point)
		for t, v := range point {
			for i := range copies {
				columns[t*copies+i] = v
			}
		}
		kernel.Assign(len(s.dist)/kernel.Lanes, s.dsub, copies, &s.packed[0], &columns[0], &s.codes[0], 1, &s.dist[0])
		var total float64
		for i, d := range s.dist[:n] {
			if c == 0 || d < nearest[i] {
				nearest[i] = d
			}
			total += float64(nearest[i])
		}
		next = (c + 1) % n // where all points are centroids already
		at := r.Float64() * total
		if total > 0 {
			for i, d := range nearest[:n] {
				if at -= float64(d); at < 0 {
					next = i
					break
				}
			}
		}
	}
}
