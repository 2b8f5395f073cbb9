package pq

import (
	"errors"
	"fmt"
	"math"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// Proof says what is certain of the answer of Certify. Distances are squared distances, inner products or cosines, as
// in Neighbor, in float64.
type Proof struct {
	Read    int     // the number of originals that were read
	Kth     float64 // the distance of the K-th of the answer; infinite where it has fewer
	Outside float64 // no vector outside the answer is nearer than this, unless it was read

	metric Metric
}

// Gap is how much nearer than the K-th of the answer a vector may be that was not read. It is 0 if the answer is
// proved: then it is the K nearest.
func (p Proof) Gap() float64 {
	gap := p.Kth - p.Outside
	if p.metric != L2 {
		gap = -gap
	}
	if gap > 0 {
		return gap
	}
	return 0
}

// Certify appends the K nearest vectors to dst[:0], as Search does, but compares the vectors themselves, as they were
// added, which the index keeps or o.Vector returns. The answer equals the answer of a search that reads all of them and
// computes in float64, with ties to the lower id. But Certify reads only those that the bounds kept with the codes do
// not exclude, in the order of their bounds, and the Proof says how many these were.
//
// Where o.Budget is smaller than their number, or o.Probes leaves out a list that they are in, the answer holds the
// nearest among those that were read, and Proof.Gap says by how much it may be wrong. A vector with a norm of the order
// of 10¹⁸ or more has no bounds and is read by every search.
//
// An index without bounds, a search that has no originals, and a Budget from 1 to K-1 are errors, and so is what Search
// refuses.
func (ix *Index) Certify(dst []Neighbor, query []float32, o Search) ([]Neighbor, Proof, error) {
	switch {
	case !ix.c.Bounds:
		return dst[:0], Proof{}, errors.New("pq: Certify needs an index with IndexConfig.Bounds")
	case o.Vector == nil && !ix.c.Vectors:
		return dst[:0], Proof{}, errors.New("pq: Certify needs the originals: Search.Vector or IndexConfig.Vectors")
	case o.K < 1 || o.Budget < 0 || 0 < o.Budget && o.Budget < o.K || o.Probes < 0:
		return dst[:0], Proof{}, fmt.Errorf("pq: Certify with K=%d, Budget=%d, Probes=%d, want K >= 1, Budget 0 or at "+
			"least K, Probes >= 0", o.K, o.Budget, o.Probes)
	}
	s := ix.pool.Get().(*searcher)
	defer ix.pool.Put(s)
	defer s.forget()
	of := s.hold(ix)
	if of.closed {
		return dst[:0], Proof{}, errClosed
	}
	s.o, s.seen = o, 0
	s.claim.begin(ix.c.Metric, query, o)
	err := s.set(ix, of, query)
	if err == nil && of.n > 0 {
		err = s.certifyAll(of, ix.centres)
	}
	if err != nil {
		return dst[:0], Proof{}, err
	}
	proof, err := s.claim.settle()
	if err != nil {
		return dst[:0], Proof{}, err
	}
	return s.claim.best.append(dst, ix.c.Metric, o.K), proof, nil
}

// CertifyBatch is Certify for each row of queries. workers is the number of goroutines, 0 standing for one for each
// core; they call Filter and Vector at the same time.
func (ix *Index) CertifyBatch(queries vec.Matrix[float32], o Search, workers int) ([][]Neighbor, []Proof, error) {
	found, proofs := make([][]Neighbor, queries.Rows), make([]Proof, queries.Rows)
	err := ix.batch(queries, workers, func(i int) (err error) {
		found[i], proofs[i], err = ix.Certify(nil, queries.Row(i), o)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return found, proofs, nil
}

// certifyAll goes through the codes of all lists, the nearest lists first, but for those that bounds exclude.
func (s *searcher) certifyAll(of *contents, l *inverted) error {
	c := &s.claim
	if l == nil {
		return s.certify(of.blocks)
	}
	length := math.Sqrt(c.square) * (1 + 0x1p-40)
	s.visit.to(l, ofCodes(c.metric), s.compared(c.metric, c.query))
	probes := len(of.lists)
	if c.Probes > 0 {
		probes = c.probes(probes)
	}
	for i, list := range s.visit.order {
		bound := s.visit.bound(i, l, ofCodes(c.metric), length, of.radius[list])
		if c.metric == CosineSimilarity {
			bound = cosineOf(bound) - cosineSlack
		}
		if bound > c.limit() || len(of.lists[list]) == 0 {
			continue
		}
		if i >= probes {
			c.unseen = math.Min(c.unseen, bound)
			continue
		}
		s.path = of.appendList(s.path[:0], int(list))
		if err := s.certify(s.path); err != nil {
			return err
		}
	}
	return nil
}

// certify goes through some codes once. After each group it reads the vectors that look nearer than the k-th of those
// read so far: nearly all of them are near enough to be read in any case, and they lower the limit for the groups to
// come. It does not read them if their bounds from above do as well. What the limit does not exclude waits.
func (s *searcher) certify(path []*block) error {
	c := &s.claim
	for len(path) > 0 {
		n := s.take(&path)
		if d, ok := s.begin(n, c.K); ok {
			s.probe.limit(d, false)
			s.wait(n)
			if err := c.readNear(0); err != nil {
				return err
			}
			c.bar = c.limit()
			c.waiting, c.tops = c.waiting[:0], c.tops[:0] // they come again, by their bounds
		}
		s.probe.limit(c.limitOfCodes(), true)
		old := len(c.waiting)
		s.wait(n)
		if err := c.readNear(old); err != nil {
			return err
		}
		c.skip = c.skip[:0]
	}
	return nil
}

// wait notes the group's codes within the limit.
func (s *searcher) wait(n int) {
	c, step, limit := &s.claim, s.probe.batch(), s.claim.limit()
	for i := 0; i < len(s.group); i += step {
		part, sums := s.group[i:min(i+step, len(s.group))], s.sums[i*kernel.Block:]
		some := min(n-i*kernel.Block, len(part)*kernel.Block)
		hits := s.hits[:s.probe.near(s.hits, part, some, sums[:len(part)*kernel.Block])]
		for len(hits) > 0 {
			now := hits[:min(len(hits), hitBatch)]
			s.probe.score(s.dist[:len(now)], s.low[:len(now)], s.high[:len(now)], part, now)
			if c.metric == CosineSimilarity {
				s.cosines(len(now))
			}
			for k, h := range now {
				b, i := part[h/kernel.Block], int(h%kernel.Block)
				if id := b.id(i); float64(s.low[k]) <= limit && b.holds(i) && c.wants(id) {
					c.waiting = append(c.waiting, waiting{id, b.row(i), s.dist[k], s.low[k], s.high[k], false})
					c.tops.keep(ranked{id, float64(s.high[k]), nil}, c.K)
				}
			}
			hits = hits[len(now):]
		}
	}
}

// claim is a certified search under way.
type claim struct {
	Search
	metric  Metric
	query   []float32
	square  float64   // |q|²
	best    ranks     // of those read
	tops    ranks     // of others, by their bounds from above
	bar     float64   // K distances are at most this
	waiting []waiting // to be read unless the limit excludes them
	unseen  float64   // no vector of a list that was not visited is nearer
	skip    []uint64  // those read of the block at hand, which comes a second time
	read    int
	asked   [lookAhead + 1]original // not compared yet
	number  int                     // of these

	keys  []float32 // scratch
	order []int32
}

// waiting is a vector that was not read: the estimate of its distance, and the bounds from below and above.
type waiting struct {
	id                  uint64
	row                 *float32
	estimate, low, high float32
	read                bool
}

// sharp reports whether the bound from above is nearly as good as the distance itself.
func (w *waiting) sharp() bool {
	estimate := math.Abs(float64(w.estimate))
	return float64(w.high)-float64(w.estimate) < estimate/4
}

func (c *claim) begin(metric Metric, query []float32, o Search) {
	c.Search, c.metric, c.query = o, metric, query
	c.best, c.waiting, c.skip, c.read = c.best[:0], c.waiting[:0], c.skip[:0], 0
	c.tops, c.bar, c.unseen = c.tops[:0], math.Inf(1), math.Inf(1)
	c.square = 0
	for _, v := range query {
		c.square += float64(float64(v) * float64(v))
	}
}

// forget drops what belongs to the caller and to the index.
func (c *claim) forget() {
	c.Search, c.query, c.number = Search{}, nil, 0
	clear(c.asked[:])
	clear(c.waiting[:cap(c.waiting)])
}

// kth is the k-th distance among those read.
func (c *claim) kth() float64 {
	if len(c.best) < c.K {
		return math.Inf(1)
	}
	return c.best[0].d
}

// limit is at least the k-th distance of all.
func (c *claim) limit() float64 {
	limit := math.Min(c.kth(), c.bar)
	if len(c.tops) == c.K {
		limit = math.Min(limit, c.tops[0].d)
	}
	return limit
}

// limitOfCodes is the limit as a probe has it.
func (c *claim) limitOfCodes() float64 {
	if c.metric == CosineSimilarity {
		return 2 * (c.limit() + 1 + cosineSlack) * (1 + 0x1p-40)
	}
	return c.limit()
}

// wants reports whether a vector may be found and was not read.
func (c *claim) wants(id uint64) bool {
	for _, other := range c.skip {
		if id == other {
			return false
		}
	}
	return c.allows(id)
}

// sorted makes c.order the order of waiting[from:] by key.
func (c *claim) sorted(from int, key func(w *waiting) float32) []int32 {
	n := len(c.waiting) - from
	c.keys, c.order = atLeast(c.keys, n), atLeast(c.order, n)
	for i := range n {
		c.keys[i], c.order[i] = key(&c.waiting[from+i]), int32(from+i)
	}
	vec.SortPairs(c.keys[:n], c.order[:n])
	return c.order[:n]
}

// readNear reads of waiting[from:] those whose estimates are below the k-th distance.
func (c *claim) readNear(from int) error {
	order := c.sorted(from, func(w *waiting) float32 { return w.estimate })
	for _, i := range order {
		w := &c.waiting[i]
		if !(float64(w.estimate) < c.limit()) || c.spent() {
			break
		}
		if w.sharp() {
			continue
		}
		if err := c.fetch(w, 0); err != nil {
			return err
		}
		c.skip, w.read = append(c.skip, w.id), true
	}
	kept := c.waiting[:from]
	for _, w := range c.waiting[from:] {
		if !w.read {
			kept = append(kept, w)
		}
	}
	c.waiting = kept
	return nil
}

func (c *claim) spent() bool { return c.Budget > 0 && c.read >= c.Budget }

// settle reads what waits, by the bounds, until the next one is beyond the k-th distance.
func (c *claim) settle() (Proof, error) {
	outside := math.Inf(1)
	for _, i := range c.sorted(0, func(w *waiting) float32 { return w.low }) {
		w := &c.waiting[i]
		if outside = float64(w.low); outside > c.kth() || c.spent() {
			break
		}
		if err := c.fetch(w, lookAhead); err != nil {
			return Proof{}, err
		}
		outside = math.Inf(1)
	}
	if err := c.judge(0); err != nil {
		return Proof{}, err
	}
	// What the limit excluded before is no nearer than the limit is now.
	p := Proof{Read: c.read, Kth: c.kth(), Outside: min(outside, c.limit(), c.unseen), metric: c.metric}
	if c.metric != L2 {
		p.Kth, p.Outside = -p.Kth, -p.Outside
	}
	return p, nil
}

// lookAhead is the number of originals that are on their way from memory while one is compared.
const lookAhead = 3

// original is a vector that was asked for.
type original struct {
	id uint64
	v  []float32
}

// fetch asks for a vector, and compares vectors that were asked for before until at most `left` are on their way.
func (c *claim) fetch(w *waiting, left int) error {
	v, err := c.original(w.id, w.row, len(c.query))
	if err != nil {
		return err
	}
	c.read++
	unchecked.Prefetch(v)
	c.asked[c.number] = original{w.id, v}
	c.number++
	return c.judge(left)
}

// judge compares vectors that were asked for, in order, until `left` of them are left.
func (c *claim) judge(left int) error {
	for c.number > left {
		x := c.asked[0]
		copy(c.asked[:], c.asked[1:c.number])
		c.number--
		if len(c.best) == c.K && c.beyond(x.v) {
			continue
		}
		d := distance(c.metric, c.query, x.v)
		if d-d != 0 {
			return fmt.Errorf("pq: the distance to vector %d is %v", x.id, d)
		}
		c.best.keep(ranked{x.id, d, nil}, c.K)
	}
	return nil
}

// beyond reports whether float32, which is faster, is enough to tell that v is beyond the k-th distance: a sum of d
// products is off by at most (d+3)2⁻²⁴ of the sum of their magnitudes.
func (c *claim) beyond(v []float32) bool {
	off := float64(len(v)+8) * 0x1p-24
	tiny := float64(len(v)) * 0x1p-140
	if c.metric == L2 {
		d := float64(vec.SquaredDistance32(c.query, v))
		return d <= math.MaxFloat32 && d*(1-2*off)-tiny > c.best[0].d
	}
	vv := float64(vec.Dot32(v, v))
	norms := math.Sqrt(c.square * (vv*(1+2*off) + tiny))
	least := -float64(vec.Dot32(c.query, v)) - off*norms - tiny
	if c.metric == InnerProduct {
		return least > c.best[0].d
	}
	if !(c.square < math.MaxFloat32/4 && vv <= math.MaxFloat32) {
		return false
	}
	if c.best[0].d > 0 {
		return least > c.best[0].d*norms*(1+0x1p-40)
	}
	return least > c.best[0].d*math.Sqrt(c.square*math.Max(0, vv*(1-2*off)-tiny))*(1-0x1p-40)
}
