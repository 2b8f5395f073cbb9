package pq

import "math"

// first are the codes of a block that look nearest, in order.
type first struct {
	d    [fewNeighbors]float64
	hits [fewNeighbors]uint32
	n    int

	dist  [hitBatch]float32 // scratch
	group [1]*block
}

// offer keeps code i, which looks as far as d, if it is among the k first.
func (f *first) offer(d float64, i, k int) {
	if f.n == k && !(d < f.d[k-1]) {
		return
	}
	f.n = min(f.n+1, k)
	at := f.n - 1
	for ; at > 0 && f.d[at-1] > d; at-- {
		f.d[at], f.hits[at] = f.d[at-1], f.hits[at-1]
	}
	f.d[at], f.hits[at] = d, uint32(i)
}

// most returns the largest distance of these by score.
func (f *first) most(p probe, b *block, k int) float64 {
	most := math.Inf(-1)
	f.group[0] = b
	for i := 0; i < k; i += hitBatch {
		some := f.dist[:min(hitBatch, k-i)]
		p.score(some, nil, nil, f.group[:], f.hits[i:i+len(some)])
		for _, d := range some {
			most = math.Max(most, float64(d))
		}
	}
	f.group[0] = nil // searchers outlive contents
	return most
}
