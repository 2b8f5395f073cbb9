package pq

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// Neighbor is a vector that a search found, and its squared distance to the query or their inner product.
type Neighbor struct {
	ID       int
	Distance float32
}

// Search says what to look for. Only K is required.
type Search struct {
	K int // number of neighbors wanted, at least 1

	// Filter, if not nil, is true for the vectors that may be found. It is called only for those that are near enough.
	Filter func(id int) bool

	// With Vector the search is refined: the nearest Candidates vectors by their codes, default 10 K and never fewer
	// than K, are compared by the vectors that Vector returns for them, the originals. Without it Candidates means
	// nothing.
	Vector     func(id int) []float32
	Candidates int
}

// Search appends the K nearest vectors to dst[:0], the nearest first, and returns it; of equally near ones the lower
// number comes first. It finds fewer than K only where there are no more. A query of another length than d or with
// numbers that are not finite, and a K below 1, are errors.
//
// Without Vector, distances are as in [Table.Scan], from the query to decoded vectors, and the result is exact for
// these: bytes in place of float32 serve only to skip vectors that cannot be among the K nearest. The cost is
// [Table.Set]'s and about M/40 ns a vector on a CPU with AVX-512. With enough room in dst nothing is allocated once
// warm.
func (ix *Index) Search(dst []Neighbor, query []float32, o Search) ([]Neighbor, error) {
	if o.K < 1 || o.Candidates < 0 {
		return dst[:0], fmt.Errorf("pq: a search with K=%d, Candidates=%d, want K >= 1, Candidates >= 0",
			o.K, o.Candidates)
	}
	s := ix.pool.Get().(*searcher)
	defer ix.pool.Put(s)
	k := o.K
	if o.Vector != nil {
		if o.Candidates == 0 {
			o.Candidates = 10 * min(o.K, math.MaxInt/10)
		}
		k = max(k, o.Candidates)
	}
	if err := s.table.Set(ix.metric, query); err != nil {
		return dst[:0], err
	}
	if err := s.fast.set(s.table); err != nil {
		return dst[:0], err
	}
	s.scan(ix.codes.Load(), k, o.Filter)
	if o.Vector != nil {
		if err := s.refine(ix.metric, query, o.Vector); err != nil {
			return dst[:0], err
		}
	}
	return s.nearest(dst, o.K), nil
}

// SearchBatch is Search for each row of queries and returns one list for each. workers is the number of goroutines, 0
// standing for one for each core; they call Filter and Vector at the same time.
func (ix *Index) SearchBatch(queries vec.Matrix[float32], o Search, workers int) ([][]Neighbor, error) {
	if err := ix.q.checkRows(queries); err != nil {
		return nil, err
	}
	workers, err := workersOf("workers", workers)
	if err != nil {
		return nil, err
	}
	found, errs := make([][]Neighbor, queries.Rows), make([]error, queries.Rows)
	parallel.Do(workers, queries.Rows, func(_, i int) { found[i], errs[i] = ix.Search(nil, queries.Row(i), o) })
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("pq: query %d: %s", i, unprefixed(err))
		}
	}
	return found, nil
}

// searcher is the memory of a search.
type searcher struct {
	q     *Quantizer
	table *Table
	fast  fastTable
	sums  []uint16
	hits  []uint32
	codes []byte // of some hits, one after the other
	dist  []float32
	heap  []Neighbor // the k nearest so far, the farthest on top; distances negative for inner products
}

const (
	scanBlocks = 16 // blocks that are scanned between two of these, at most
	hitBatch   = 16 // hits that are scored between two looks at the k-th distance
)

func newSearcher(q *Quantizer) *searcher {
	return &searcher{
		q: q, table: q.smallTable(),
		sums: make([]uint16, scanBlocks*kernel.Block), hits: make([]uint32, scanBlocks*kernel.Block),
		codes: make([]byte, hitBatch*q.CodeSize()), dist: make([]float32, hitBatch),
	}
}

// scan leaves the k nearest of b in the heap. It looks at one block first, and then at as many as it has seen, so
// that the few that come through each time are those that an ever better k-th distance lets pass.
func (s *searcher) scan(b *blocks, k int, filter func(id int) bool) {
	s.heap = s.heap[:0]
	all := (b.n + kernel.Block - 1) / kernel.Block
	for from := 0; from < all; {
		to := min(all, from+min(max(from, 1), scanBlocks))
		s.fast.scan(s.q, b, from, to, s.sums)
		limit := uint32(maxSum)
		n := min(to*kernel.Block, b.n) - from*kernel.Block
		if len(s.heap) == k {
			limit = s.fast.bound(s.heap[0].Distance)
		} else if from == 0 && filter == nil && k <= min(n, fewNeighbors) {
			limit = s.fast.bound(s.fast.atMost(smallest(s.sums[:n], k), s.q.m))
		}
		hits := s.hits[:kernel.Below(n, &s.sums[0], limit, &s.hits[0])]
		for len(hits) > 0 {
			hits = s.score(b, from*kernel.Block, hits, limit, k, filter)
			if len(s.heap) == k {
				limit = min(limit, s.fast.bound(s.heap[0].Distance))
			}
		}
		from = to
	}
}

// fewNeighbors is up to how many a look at the first block's sums is worth while.
const fewNeighbors = 64

// smallest returns the k-th smallest of sums, k at most fewNeighbors.
func smallest(sums []uint16, k int) uint16 {
	var first [fewNeighbors]uint16 // in order
	n := 0
	for _, v := range sums {
		if n == k && v >= first[k-1] {
			continue
		}
		n = min(n+1, k)
		i := n - 1
		for ; i > 0 && first[i-1] > v; i-- {
			first[i] = first[i-1]
		}
		first[i] = v
	}
	return first[k-1]
}

// score computes the distances of some hits, which count from first, where their sums are within the limit, and keeps
// those among the k nearest. It returns the hits left.
func (s *searcher) score(b *blocks, first int, hits []uint32, limit uint32, k int, filter func(int) bool) []uint32 {
	n, seen := 0, 0
	for ; seen < len(hits) && n < hitBatch; seen++ {
		h := hits[seen]
		if id := first + int(h); uint32(s.sums[h]) <= limit && (filter == nil || filter(id)) {
			hits[n] = h
			b.code(s.codes[n*b.size:], id)
			n++
		}
	}
	s.table.scan(s.dist[:n], s.codes[:n*b.size])
	for i, h := range hits[:n] {
		d := s.dist[i]
		if s.table.metric == InnerProduct {
			d = -d
		}
		s.keep(Neighbor{first + int(h), d}, k)
	}
	return hits[seen:]
}

// farther orders neighbors by distance, then by number.
func farther(a, b Neighbor) bool {
	return a.Distance > b.Distance || a.Distance == b.Distance && a.ID > b.ID
}

// keep puts x into the heap of k if it is nearer than the farthest there.
func (s *searcher) keep(x Neighbor, k int) {
	h := s.heap
	if len(h) < k {
		h = append(h, x)
		for i := len(h) - 1; i > 0 && farther(h[i], h[(i-1)/2]); i = (i - 1) / 2 {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		}
		s.heap = h
		return
	}
	if !farther(h[0], x) {
		return
	}
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < k && farther(h[child+1], h[child]) {
			child++
		}
		if child >= k || !farther(h[child], x) {
			h[i] = x
			return
		}
		h[i], i = h[child], child
	}
}

// refine replaces the distances in the heap, whose order goes lost, by those to original vectors.
func (s *searcher) refine(metric Metric, query []float32, vector func(id int) []float32) error {
	for i := range s.heap {
		x := &s.heap[i]
		v := vector(x.ID)
		if len(v) != len(query) {
			return fmt.Errorf("pq: Search.Vector returned %d numbers for vector %d, want d=%d",
				len(v), x.ID, len(query))
		}
		if metric == InnerProduct {
			x.Distance = -vec.Dot32(query, v)
		} else {
			x.Distance = vec.SquaredDistance32(query, v)
		}
		if x.Distance != x.Distance {
			return fmt.Errorf("pq: the distance to vector %d is %v", x.ID, float32(math.NaN()))
		}
	}
	return nil
}

// nearest sorts the heap and appends at most k of it to dst[:0].
func (s *searcher) nearest(dst []Neighbor, k int) []Neighbor {
	slices.SortFunc(s.heap, func(a, b Neighbor) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
	})
	dst = append(dst[:0], s.heap[:min(k, len(s.heap))]...)
	if s.table.metric == InnerProduct {
		for i := range dst {
			dst[i].Distance = -dst[i].Distance
		}
	}
	return dst
}
