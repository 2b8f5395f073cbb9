package pq

import (
	"fmt"
	"math"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// Neighbor is a vector that a search found, and its squared distance to the query, their inner product or cosine.
type Neighbor struct {
	ID       uint64
	Distance float32
}

// Search says what to look for. Only K is required.
type Search struct {
	K int // number of neighbors wanted, at least 1

	// Filter, if not nil, is true for the vectors that may be found. It is called only for those that are near enough.
	Filter func(id uint64) bool

	// Allow, if not nil, has a bit for each id, bit id%64 of Allow[id/64]: it is 1 for the vectors that may be found.
	// Ids behind its end may not.
	Allow []uint64

	// With Vector the search is refined: the nearest Candidates vectors by their codes, default 10 K and never fewer
	// than K, are compared by the vectors that Vector returns for them, the originals. An index that keeps vectors
	// refines by these where Vector is nil, unless Codes says not to. Without originals Candidates means nothing.
	// Certify needs originals, and chooses itself how many it reads.
	Vector     func(id uint64) []float32
	Candidates int
	Codes      bool

	Budget int // of Certify: how many originals it may read, at least K; 0 stands for all

	// Probes is the number of lists that are looked at, those whose centres are nearest; of an index without lists it
	// means nothing. 0 stands for half the square root of their number; for Certify, for all that bounds do not
	// exclude.
	Probes int
}

// Rows is a Search.Vector for the rows of x, where ids are the numbers of rows.
func Rows(x vec.Matrix[float32]) func(id uint64) []float32 {
	return func(id uint64) []float32 { return x.Row(int(id)) }
}

// allows reports whether a vector may be found.
func (o *Search) allows(id uint64) bool {
	if o.Allow != nil && (id/64 >= uint64(len(o.Allow)) || o.Allow[id/64]>>(id%64)&1 == 0) {
		return false
	}
	return o.Filter == nil || o.Filter(id)
}

// all reports whether every vector may be found.
func (o *Search) all() bool { return o.Filter == nil && o.Allow == nil }

// original returns a vector of d numbers, which the search or the index has.
func (o *Search) original(id uint64, row *float32, d int) ([]float32, error) {
	if o.Vector == nil {
		return numbers(row, d), nil
	}
	v := o.Vector(id)
	if len(v) != d {
		return nil, fmt.Errorf("pq: Search.Vector returned %d numbers for vector %d, want d=%d", len(v), id, d)
	}
	return v, nil
}

// Search appends the K nearest vectors to dst[:0], the nearest first, and returns it; of equally near ones the lower
// id comes first. It finds fewer than K only where there are no more, or no more in the lists that are visited. A query
// of another length than d or with numbers that are not finite, a query of zeros for cosines, and a K below 1, are
// errors.
//
// Without originals, distances are as in [Table.Scan], from the query to decoded vectors, and the result is exact for
// these: bytes in place of float32 serve only to skip vectors that cannot be among the K nearest. In an index with
// bounds they are projected estimates of the distances to the vectors themselves, which find more of the truly nearest:
// the package's doc says how. The cost is [Table.Set]'s and about M/40 ns a vector on a CPU with AVX-512. With enough
// room in dst nothing is allocated once warm.
func (ix *Index) Search(dst []Neighbor, query []float32, o Search) ([]Neighbor, error) {
	if o.K < 1 || o.Candidates < 0 || o.Probes < 0 {
		return dst[:0], fmt.Errorf("pq: a search with K=%d, Candidates=%d, Probes=%d, want K >= 1 and none below 0",
			o.K, o.Candidates, o.Probes)
	}
	s := ix.pool.Get().(*searcher)
	defer ix.pool.Put(s)
	defer s.forget()
	k, refine := o.K, o.Vector != nil || ix.c.Vectors && !o.Codes
	if refine {
		if o.Candidates == 0 {
			o.Candidates = 10 * min(o.K, math.MaxInt/10)
		}
		k = max(k, o.Candidates)
	}
	of := s.hold(ix)
	if of.closed {
		return dst[:0], errClosed
	}
	if err := s.set(ix, of, query); err != nil || of.n == 0 {
		return dst[:0], err
	}
	path := of.blocks
	if of.lists != nil {
		s.visit.to(ix.centres, ofCodes(ix.c.Metric), s.compared(ix.c.Metric, query))
		s.path = s.path[:0]
		for _, list := range s.visit.order[:o.probes(len(of.lists))] {
			s.path = of.appendList(s.path, int(list))
		}
		path = s.path
	}
	s.o = o
	s.scan(path, k)
	if refine {
		if err := s.refine(ix.c.Metric, query); err != nil {
			return dst[:0], err
		}
	}
	if ix.c.Metric == CosineSimilarity && !refine {
		for i := range s.nearest {
			s.nearest[i].d = cosineOf(s.nearest[i].d)
		}
	}
	return s.nearest.append(dst, ix.c.Metric, o.K), nil
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
	o         Search
	held      *contents // what is searched
	probe     probe
	group     []*block // that are scanned together
	seen      int      // blocks that were scanned
	sums      []uint16
	hits      []uint32
	dist      []float32
	low, high []float32 // bounds
	nearest   ranks
	claim     claim
	unit      []float32 // the query, of length 1
	visit     visit
	path      []*block // of the lists that are visited
}

// hold returns what an index holds. It stays, with the file that it points into, until the searcher forgets.
func (s *searcher) hold(ix *Index) *contents {
	s.held = ix.held.Load()
	return s.held
}

// set makes a query ready for what an index holds, or only checks it where that is nothing.
func (s *searcher) set(ix *Index, of *contents, query []float32) error {
	if of.n == 0 {
		return checkQuery(query, ix.codec.D())
	}
	if ix.c.Metric == CosineSimilarity {
		if err := s.setUnit(query, ix.codec.D()); err != nil {
			return err
		}
	}
	return s.probe.set(ofCodes(ix.c.Metric), s.compared(ix.c.Metric, query), of.frame)
}

// forget drops what belongs to the caller and to the index.
func (s *searcher) forget() {
	s.o, s.held = Search{}, nil
	clear(s.group[:cap(s.group)])
	clear(s.path[:cap(s.path)])
	clear(s.nearest[:cap(s.nearest)])
	s.claim.forget()
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

// scan leaves the k nearest of some blocks in the heap. It looks at one block first, and then at as many as it has
// seen, so that the few that come through each time are those that an ever better k-th distance lets pass.
func (s *searcher) scan(path []*block, k int) {
	s.nearest, s.seen = s.nearest[:0], 0
	for len(path) > 0 {
		n := s.take(&path)
		limit := math.Inf(1)
		if len(s.nearest) == k {
			limit = s.nearest[0].d
		} else if d, ok := s.begin(n, k); ok {
			limit = d
		}
		s.rank(n, limit, k)
	}
}

// take scans the next blocks of path and returns the number of their slots.
func (s *searcher) take(path *[]*block) (n int) {
	some := min(len(*path), max(s.seen, 1), scanBlocks)
	s.group, *path = append(s.group[:0], (*path)[:some]...), (*path)[some:]
	for i, block := range s.group {
		s.probe.scan(s.sums[i*kernel.Block:][:kernel.Block], block)
	}
	s.seen += some
	return (some-1)*kernel.Block + s.group[some-1].n
}

// begin returns a distance within which there are k vectors, if the group is the first and has one at hand.
func (s *searcher) begin(n, k int) (d float64, ok bool) {
	b := s.group[0]
	if s.seen != 1 || k > min(n, fewNeighbors) || !s.o.all() || !b.whole() {
		return 0, false
	}
	return s.probe.start(b, s.sums[:n], k), true
}

// rank puts the nearest of the group's n codes into the heap of k: those within the limit, and within what the heap
// makes of it.
func (s *searcher) rank(n int, limit float64, k int) {
	s.probe.limit(limit, false)
	step := s.probe.batch()
	for i := 0; i < len(s.group); i += step {
		part, sums := s.group[i:min(i+step, len(s.group))], s.sums[i*kernel.Block:]
		some := min(n-i*kernel.Block, len(part)*kernel.Block)
		hits := s.hits[:s.probe.near(s.hits, part, some, sums[:len(part)*kernel.Block])]
		for len(hits) > 0 {
			hits = s.score(part, sums, hits, k)
			if len(s.nearest) == k && s.nearest[0].d < limit {
				limit = s.nearest[0].d
				s.probe.limit(limit, false)
			}
		}
	}
}

// fewNeighbors is up to how many a look at the first block's sums is worth while.
const fewNeighbors = 64

// score computes the distances of some hits, where they may be within the limit, and keeps those among the k nearest.
// It returns the hits left.
func (s *searcher) score(part []*block, sums []uint16, hits []uint32, k int) []uint32 {
	n, seen := 0, 0
	for ; seen < len(hits) && n < hitBatch; seen++ {
		h := hits[seen]
		b, i := part[h/kernel.Block], int(h%kernel.Block)
		if s.probe.may(sums[h]) && b.holds(i) && s.o.allows(b.id(i)) {
			hits[n] = h
			n++
		}
	}
	s.probe.score(s.dist[:n], nil, nil, part, hits[:n])
	for j, h := range hits[:n] {
		b, i := part[h/kernel.Block], int(h%kernel.Block)
		s.nearest.keep(ranked{b.id(i), float64(s.dist[j]), b.row(i)}, k)
	}
	return hits[seen:]
}

// refine replaces the distances in the heap, whose order goes lost, by those to original vectors.
func (s *searcher) refine(metric Metric, query []float32) error {
	for i := range s.nearest {
		x := &s.nearest[i]
		v, err := s.o.original(x.id, x.row, len(query))
		if err != nil {
			return err
		}
		switch metric {
		case L2:
			x.d = float64(vec.SquaredDistance32(query, v))
		case InnerProduct:
			x.d = -float64(vec.Dot32(query, v))
		case CosineSimilarity:
			x.d = -float64(vec.Cosine(query, v))
		}
		if x.d != x.d {
			return fmt.Errorf("pq: the distance to vector %d is %v", x.id, float32(math.NaN()))
		}
	}
	return nil
}
