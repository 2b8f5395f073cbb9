// Package search measures searches for the nearest images: by codes, with candidates, with a proof, by lists, and
// exactly; how long they take, what they find and how many originals they read.
package search

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"time"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// Base is the name of the benchmarks.
const Base = "Search"

// K is how many of the nearest are looked for.
const K = 10

// The ways to search, the part "way" of names.
const (
	Codes      = "codes"      // by codes alone
	Candidates = "candidates" // of which the part "number" tells how many are compared by their originals
	Proof      = "proof"
	Lists      = "lists" // of which "number" are visited
	Exact      = "exact" // one query at a time
	AtOnce     = "exact, all at once"
)

// Units of values beside the time of a query.
const (
	Recall = "recall-%"
	Read   = "read" // originals that a query reads
)

// Code is a kind of codes.
type Code struct {
	Name  string // of the kind, the same for all sizes
	Bytes int    // of 784 numbers
	train func(ctx context.Context, x vec.Matrix[float32]) (pq.Codec, error)
}

// All are the codes that are measured.
var All = []Code{
	pca(24), pca(49), pca(98), pca(196), pca(392), product(49), product(98), product(196), hadamard(1), hadamard(2),
	hadamard(4),
}

// Compared is the number of candidates that all codes are measured with.
const Compared = 50

// Shown is the size whose searches are drawn against time.
const Shown = 98

func pca(bytes int) Code {
	return scalar("PCA, 4 bits", bytes, pq.ScalarConfig{Dims: 2 * bytes, Bits: 4})
}

func hadamard(bits int) Code {
	return scalar("Hadamard", 98*bits, pq.ScalarConfig{Turn: pq.Hadamard, Bits: bits})
}

func scalar(name string, bytes int, c pq.ScalarConfig) Code {
	return Code{name, bytes, func(ctx context.Context, x vec.Matrix[float32]) (pq.Codec, error) {
		c.Workers = 1
		s, err := pq.TrainScalar(ctx, x, c)
		if err != nil {
			return nil, err
		}
		return s, nil
	}}
}

func product(bytes int) Code {
	return Code{"product quantizer", bytes, func(ctx context.Context, x vec.Matrix[float32]) (pq.Codec, error) {
		q, err := pq.Train(ctx, x, pq.Config{M: bytes, Iterations: 10})
		if err != nil {
			return nil, err
		}
		return q, nil
	}}
}

// Measure searches x for the rows of q, by each kind of codes whose benchmark's name matches the filter, and adds lines
// to out. In the end it calls done with them, if there are any.
func Measure(ctx context.Context, x, q vec.Matrix[float32], filter *regexp.Regexp, b *progress.Bar, out *results.Set,
	done func([]results.Line) error) error {
	r := &run{x: x, q: q, rounds: 3}
	defer b.Clear()
	for i, c := range All {
		keys := r.keys(c.Name, c.Bytes)
		if !filter.MatchString((results.Line{Base: Base, Keys: keys}).Name()) {
			continue
		}
		b.Show(float64(i)/float64(len(All)), fmt.Sprintf("search, %s, %d bytes", c.Name, c.Bytes))
		if err := r.code(ctx, c, keys); err != nil {
			return fmt.Errorf("search, %s, %d bytes: %w", c.Name, c.Bytes, err)
		}
	}
	b.Clear()
	if r.lines == nil {
		return nil
	}
	out.Lines = append(out.Lines, r.lines...)
	return done(r.lines)
}

// run is one call of Measure.
type run struct {
	x, q   vec.Matrix[float32]
	rounds int
	truth  [][]int32 // of each query the nearest rows; nil before the first code
	lines  []results.Line
}

func (r *run) keys(code string, bytes int) []results.Pair {
	return results.Parts("n", r.x.Rows, "d", r.x.Cols, "queries", r.q.Rows, "code", code, "bytes", bytes)
}

// exact measures searches without codes, which are the truth of all others.
func (r *run) exact() {
	s := vec.NewSearcher(r.x, vec.L2)
	idx, dist := make([]int32, r.q.Rows*K), vec.NewMatrix[float32](r.q.Rows, K)
	keys := r.keys("none", 4*r.x.Cols)
	atOnce := r.fastest(func() error { s.Nearest(idx, dist, r.q, 1); return nil })
	single := r.fastest(func() error {
		for i := range r.q.Rows {
			s.Nearest(idx[i*K:][:K], dist.Slice(i, i+1, 0, K), r.q.Slice(i, i+1, 0, r.q.Cols), 1)
		}
		return nil
	})
	for i := range r.q.Rows {
		r.truth = append(r.truth, idx[i*K:][:K])
	}
	r.line(keys, Exact, 0, single.seconds, 100, float64(r.x.Rows))
	r.line(keys, AtOnce, 0, atOnce.seconds, 100, float64(r.x.Rows))
}

// code measures all searches of one kind of codes.
func (r *run) code(ctx context.Context, c Code, keys []results.Pair) error {
	if r.truth == nil {
		r.exact()
	}
	codec, err := c.train(ctx, r.x)
	if err != nil {
		return err
	}
	config := pq.IndexConfig{Bounds: true, Vectors: true}
	index, err := r.index(codec, config)
	if err != nil {
		return err
	}
	if err := r.search(index, keys, Codes, 0, pq.Search{K: K, Codes: true}); err != nil {
		return err
	}
	for _, n := range []int{10, 15, 20, 30, 50, 100} {
		if n != Compared && c.Bytes != Shown {
			continue
		}
		if err := r.search(index, keys, Candidates, n, pq.Search{K: K, Candidates: n}); err != nil {
			return err
		}
	}
	if err := r.search(index, keys, Proof, 0, pq.Search{K: K}); err != nil || c.Bytes != Shown {
		return err
	}
	lists := int(math.Sqrt(float64(r.x.Rows)))
	if config.Lists, err = pq.TrainLists(ctx, r.x, lists, 0, 0); err != nil {
		return err
	}
	if index, err = r.index(codec, config); err != nil {
		return err
	}
	for n := 1; n <= lists; n *= 2 {
		if err := r.search(index, keys, Lists, n, pq.Search{K: K, Candidates: Compared, Probes: n}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (r *run) index(codec pq.Codec, c pq.IndexConfig) (*pq.Index, error) {
	index, err := pq.NewIndexOf(codec, c)
	if err != nil {
		return nil, err
	}
	return index, index.Add(r.x, 0)
}

// search measures one kind of search, one query after the other.
func (r *run) search(index *pq.Index, keys []results.Pair, way string, number int, o pq.Search) error {
	hits, read := 0, 0
	var near []pq.Neighbor
	took := r.fastest(func() (err error) {
		hits, read = 0, 0
		for i := range r.q.Rows {
			var p pq.Proof
			if way == Proof {
				near, p, err = index.Certify(near, r.q.Row(i), o)
			} else {
				near, err = index.Search(near, r.q.Row(i), o)
				p.Read = o.Candidates
			}
			if err != nil {
				return err
			}
			hits, read = hits+common(r.truth[i], near), read+p.Read
		}
		return nil
	})
	if took.err != nil {
		return took.err
	}
	queries := float64(r.q.Rows)
	r.line(keys, way, number, took.seconds, 100*float64(hits)/(queries*K), float64(read)/queries)
	return nil
}

// common counts the rows that were found.
func common(truth []int32, near []pq.Neighbor) (hits int) {
	for _, row := range truth {
		for _, n := range near {
			if n.ID == uint64(row) {
				hits++
			}
		}
	}
	return hits
}

func (r *run) line(keys []results.Pair, way string, number int, seconds, recall, read float64) {
	keys = append(keys[:len(keys):len(keys)], results.Parts("way", way)...)
	if number > 0 {
		keys = append(keys, results.Parts("number", number)...)
	}
	r.lines = append(r.lines, results.Line{Base: Base, Keys: keys, Iters: r.rounds, Values: []results.Value{
		{Number: seconds / float64(r.q.Rows), Unit: results.Seconds}, {Number: recall, Unit: Recall},
		{Number: read, Unit: Read}}})
}

type timed struct {
	seconds float64
	err     error
}

// fastest is the least time of some rounds.
func (r *run) fastest(do func() error) timed {
	best := timed{seconds: math.Inf(1)}
	for range r.rounds {
		begin := time.Now()
		if err := do(); err != nil {
			return timed{err: err}
		}
		best.seconds = min(best.seconds, time.Since(begin).Seconds())
	}
	return best
}
