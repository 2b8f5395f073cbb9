package solvers

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Rank sets dst to the len(dst) outputs with the largest scores, best first. Of equal scores the smaller output goes
// first. NaN is no score: where only such are left dst is -1. It panics when dst is longer than scores. O(m len(dst))
// at worst, for m scores; O(m) for few.
func Rank[T vec.Float](dst []int, scores []T) {
	if len(dst) > len(scores) {
		panic(shape.Errorf("solvers: Rank", "%d best of %d outputs", len(dst), len(scores)))
	}
	n := 0 // places filled, sorted by insertion
	for c, v := range scores {
		if v != v {
			continue
		}
		at := n
		for at > 0 && v > scores[dst[at-1]] {
			at--
		}
		if at == len(dst) {
			continue
		}
		n = min(n+1, len(dst))
		copy(dst[at+1:n], dst[at:])
		dst[at] = c
	}
	for p := n; p < len(dst); p++ {
		dst[p] = -1
	}
}
