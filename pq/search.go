package pq

import (
	"fmt"
	"math"

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
	// nothing. Certify needs Vector, and chooses itself how many it reads.
	Vector     func(id int) []float32
	Candidates int

	Budget int // of Certify: how many originals it may read, at least K; 0 stands for all
}

// Search appends the K nearest vectors to dst[:0], the nearest first, and returns it; of equally near ones the lower
// number comes first. It finds fewer than K only where there are no more. A query of another length than d or with
// numbers that are not finite, and a K below 1, are errors.
//
// Without Vector, distances are as in [Table.Scan], from the query to decoded vectors, and the result is exact for
// these: bytes in place of float32 serve only to skip vectors that cannot be among the K nearest. In an index with
// bounds they are projected estimates of the distances to the vectors themselves, which find more of the truly nearest:
// the package's doc says how. The cost is [Table.Set]'s and about M/40 ns a vector on a CPU with AVX-512. With enough
// room in dst nothing is allocated once warm.
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
	of := ix.held.Load()
	if err := s.probe.set(ix.metric, query, of.frame); err != nil {
		return dst[:0], err
	}
	s.scan(&of.blocks, k, o.Filter)
	if o.Vector != nil {
		if err := s.refine(ix.metric, query, o.Vector); err != nil {
			return dst[:0], err
		}
	}
	return s.nearest.append(dst, ix.metric, o.K), nil
}

// SearchBatch is Search for each row of queries and returns one list for each. workers is the number of goroutines, 0
// standing for one for each core; they call Filter and Vector at the same time.
func (ix *Index) SearchBatch(queries vec.Matrix[float32], o Search, workers int) ([][]Neighbor, error) {
	found := make([][]Neighbor, queries.Rows)
	err := ix.batch(queries, workers, func(i int) (err error) {
		found[i], err = ix.Search(nil, queries.Row(i), o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// batch calls search for each row of queries and returns the error of the first that has one.
func (ix *Index) batch(queries vec.Matrix[float32], workers int, search func(i int) error) error {
	if err := checkRows(queries, ix.codec.D()); err != nil {
		return err
	}
	workers, err := workersOf("workers", workers)
	if err != nil {
		return err
	}
	errs := make([]error, queries.Rows)
	parallel.Do(workers, queries.Rows, func(_, i int) { errs[i] = search(i) })
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("pq: query %d: %s", i, unprefixed(err))
		}
	}
	return nil
}

// searcher is the memory of a search.
type searcher struct {
	probe     probe
	group     []*block // that are scanned together
	sums      []uint16
	hits      []uint32
	dist      []float32
	low, high []float32 // bounds
	nearest   ranks
	claim     claim
}

const (
	scanBlocks = 16 // blocks that are scanned between two of these, at most
	hitBatch   = 16 // hits that are scored between two looks at the k-th distance
)

func newSearcher(codec Codec) *searcher {
	return &searcher{
		probe: codec.newProbe(), group: make([]*block, 0, scanBlocks),
		sums: make([]uint16, scanBlocks*kernel.Block), hits: make([]uint32, scanBlocks*kernel.Block),
		dist: make([]float32, hitBatch), low: make([]float32, hitBatch),
		high: make([]float32, hitBatch),
	}
}

// scan leaves the k nearest of b in the heap. It looks at one block first, and then at as many as it has seen, so
// that the few that come through each time are those that an ever better k-th distance lets pass.
func (s *searcher) scan(b *blocks, k int, filter func(id int) bool) {
	s.nearest = s.nearest[:0]
	for from := 0; from < b.count(); {
		n := s.take(b, from)
		limit := math.Inf(1)
		if len(s.nearest) == k {
			limit = s.nearest[0].d
		} else if from == 0 && filter == nil && k <= min(n, fewNeighbors) {
			limit = s.probe.start(s.group[0], s.sums[:n], k)
		}
		s.rank(from, n, limit, k, filter)
		from += len(s.group)
	}
}

// take scans the next blocks and returns the number of their codes.
func (s *searcher) take(b *blocks, from int) (n int) {
	to := min(b.count(), from+min(max(from, 1), scanBlocks))
	s.group = b.take(s.group, from, to)
	for i, block := range s.group {
		s.probe.scan(s.sums[i*kernel.Block:][:kernel.Block], block)
	}
	return min(to*kernel.Block, b.n) - from*kernel.Block
}

// rank puts the nearest of the group's n codes into the heap of k: those within the limit, and within what the heap
// makes of it. The group begins with block from.
func (s *searcher) rank(from, n int, limit float64, k int, filter func(id int) bool) {
	s.probe.limit(limit, false)
	step := s.probe.batch()
	for i := 0; i < len(s.group); i += step {
		part, sums := s.group[i:min(i+step, len(s.group))], s.sums[i*kernel.Block:]
		some := min(n-i*kernel.Block, len(part)*kernel.Block)
		hits := s.hits[:s.probe.near(s.hits, part, some, sums[:len(part)*kernel.Block])]
		for len(hits) > 0 {
			hits = s.score((from+i)*kernel.Block, part, sums, hits, k, filter)
			if len(s.nearest) == k && s.nearest[0].d < limit {
				limit = s.nearest[0].d
				s.probe.limit(limit, false)
			}
		}
	}
}

// fewNeighbors is up to how many a look at the first block's sums is worth while.
const fewNeighbors = 64

// score computes the distances of some hits, which count from first, where they may be within the limit, and keeps
// those among the k nearest. It returns the hits left.
func (s *searcher) score(first int, part []*block, sums []uint16, hits []uint32, k int,
	filter func(int) bool) []uint32 {
	n, seen := 0, 0
	for ; seen < len(hits) && n < hitBatch; seen++ {
		if h := hits[seen]; s.probe.may(sums[h]) && (filter == nil || filter(first+int(h))) {
			hits[n] = h
			n++
		}
	}
	s.probe.score(s.dist[:n], nil, nil, part, hits[:n])
	for i, h := range hits[:n] {
		s.nearest.keep(ranked{first + int(h), float64(s.dist[i])}, k)
	}
	return hits[seen:]
}

// refine replaces the distances in the heap, whose order goes lost, by those to original vectors.
func (s *searcher) refine(metric Metric, query []float32, vector func(id int) []float32) error {
	for i := range s.nearest {
		x := &s.nearest[i]
		v := vector(x.id)
		if len(v) != len(query) {
			return wrongVector(x.id, v, query)
		}
		if metric == InnerProduct {
			x.d = -float64(vec.Dot32(query, v))
		} else {
			x.d = float64(vec.SquaredDistance32(query, v))
		}
		if x.d != x.d {
			return fmt.Errorf("pq: the distance to vector %d is %v", x.id, float32(math.NaN()))
		}
	}
	return nil
}

func wrongVector(id int, v, query []float32) error {
	return fmt.Errorf("pq: Search.Vector returned %d numbers for vector %d, want d=%d", len(v), id, len(query))
}
