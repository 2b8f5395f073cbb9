package low

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/dualgap/dualgap/internal/nearest"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// BitMetric is what rows of bits are compared by.
type BitMetric uint8

const (
	HammingDistance BitMetric = iota // the number of bits that differ
	JaccardDistance                  // as Jaccard has it
)

// String returns the metric's name.
func (m BitMetric) String() string {
	switch m {
	case HammingDistance:
		return "HammingDistance"
	case JaccardDistance:
		return "JaccardDistance"
	}
	return fmt.Sprintf("BitMetric(%d)", uint8(m))
}

// Searcher finds the rows of a matrix of int8, uint8 or bits that are nearest to a query, exactly, as [vec.Searcher]
// does for float32 and float64. It holds what searches share: the rows, which it does not copy, and a number or two for
// each. All methods may be called at the same time. The rows must not change while it is in use.
//
// Sums are integers, so no answer depends on rounding. Of rows with equal distances the lower comes first; cosines are
// compared as <x, q>² / |x|² of integers, not as the float64 that [Searcher.Nearest] writes.
type Searcher[T int8 | uint8 | uint64] struct {
	x      vec.Matrix[T]
	metric measure
	sizes  []int32   // of each row: its squared norm, or the number of its ones
	halves []int32   // for L2, sizes / 2, rounded down; zeros for a block otherwise
	scales []float32 // of the sizes, for a metric that is lined
	most   float64   // of scales

	products  func(dst vec.Matrix[int32], queries, rows vec.Matrix[T])
	pair      func(x, y []T) int64
	size      func(x []T) int64
	offset    int64 // products exceed pair by this
	low, high int64 // where products less halves are

	calls, tasks sync.Pool // of *searchCall[T] and *searchTask[T]
}

// NewSearcher prepares searches for rows of x by a metric: inner products, squared distances |x - q|² or cosines. It
// costs O(n d). It panics where x is no matrix, has more than 131071 columns of int8 or 33025 of uint8, or more rows
// than an int32 counts, and for a metric that there is not.
func NewSearcher[T int8 | uint8](x vec.Matrix[T], metric vec.Metric) *Searcher[T] {
	const name = "NewSearcher"
	s, most, least, largest := new(Searcher[T]), 0, 0, 0
	switch s := any(s).(type) {
	case *Searcher[int8]:
		s.products, s.pair, most, least, largest = DotsInt8, DotInt8, mostInt8, -128*128, 128*128
	case *Searcher[uint8]:
		s.products, s.pair, most, least, largest = DotsUint8, DotUint8, mostUint8, 0, 255*255
	}
	demand(name, &x)
	bounded(name, &x, most)
	if metric > vec.CosineSimilarity {
		panic(unfit(name, "there is no %v", metric))
	}
	s.metric = [...]measure{vec.L2: byL2, vec.InnerProduct: byProduct, vec.CosineSimilarity: byCosine}[metric]
	s.low, s.high = int64(least)*int64(x.Cols), int64(largest)*int64(x.Cols)
	s.size = func(x []T) int64 { return s.pair(x, x) }
	s.prepare(name, x)
	return s
}

// NewBitSearcher prepares searches for rows of bits by a metric. Vectors of bits are words of 64; bits beyond the last
// are 0 in rows and queries. It costs O(n d). It panics where x is no matrix, has more than 1048576 columns, or more
// rows than an int32 counts, and for a metric that there is not.
func NewBitSearcher(x vec.Matrix[uint64], metric BitMetric) *Searcher[uint64] {
	const name = "NewBitSearcher"
	demand(name, &x)
	if x.Cols > mostRatio {
		panic(unfit(name, "%d columns, want at most %d", x.Cols, mostRatio))
	}
	if metric > JaccardDistance {
		panic(unfit(name, "there is no %v", metric))
	}
	s := &Searcher[uint64]{metric: byHamming, products: HammingDistances, pair: differing, size: ones}
	if metric == JaccardDistance {
		s.metric = byJaccard
	}
	s.offset = 64 * int64(x.Cols)
	s.high = s.offset
	s.prepare(name, x)
	return s
}

// differing is less the number of bits that differ.
func differing(x, y []uint64) int64 { return -int64(Hamming(x, y)) }

func ones(x []uint64) (n int64) {
	for _, word := range x {
		n += int64(bits.OnesCount64(word))
	}
	return n
}

// prepare computes what searches need of the rows.
func (s *Searcher[T]) prepare(function string, x vec.Matrix[T]) {
	if x.Rows > math.MaxInt32 {
		panic(unfit(function, "%d rows, want at most %d", x.Rows, math.MaxInt32))
	}
	s.x, s.sizes, s.halves = x, make([]int32, x.Rows), make([]int32, searchRows)
	if s.metric == byL2 {
		s.halves, s.low = make([]int32, x.Rows), s.low-s.high/2
	}
	if s.metric.lined() {
		s.scales = make([]float32, x.Rows)
	}
	for i := range s.sizes {
		n := s.size(x.Row(i))
		s.sizes[i] = int32(n)
		if s.metric == byL2 {
			s.halves[i] = int32(n / 2)
		}
		if s.metric.lined() {
			s.scales[i] = float32(s.metric.scale(n))
			s.most = max(s.most, float64(s.scales[i]))
		}
	}
	s.calls.New = func() any { return new(searchCall[T]) }
	s.tasks.New = func() any { return new(searchTask[T]) }
}

// Nearest finds, for each row of queries, the k = dist.Cols nearest rows: idx[i*k+j] is the number of the j-th nearest
// row to query i, and dist[i, j] its squared distance, product, cosine, Hamming or Jaccard distance: integers but for
// cosines and Jaccard distances, which are rounded. Where there are fewer than k rows idx is -1 for the rest and dist
// +Inf, or -Inf for products and cosines. Up to workers goroutines share the work, all cores for 0; the answer does not
// depend on their number. One query costs a pass over all rows, many in one call little more than their products with
// all rows. Memory is kept for later calls: with it one worker allocates nothing. It panics unless the sizes fit:
// queries is m-by-d, dist m-by-k and idx of length m k.
func (s *Searcher[T]) Nearest(idx []int32, dist vec.Matrix[float64], queries vec.Matrix[T], workers int) {
	const name = "Searcher.Nearest"
	if queries.Cols != s.x.Cols || dist.Rows != queries.Rows || dist.Cols > 0 && len(idx) != dist.Rows*dist.Cols {
		panic(unfit(name, "%d indices and dist %dx%d for queries %dx%d and rows of %d elements", len(idx), dist.Rows,
			dist.Cols, queries.Rows, queries.Cols, s.x.Cols))
	}
	demand(name, &queries)
	demand(name, &dist)
	blocks := shape.Pieces(s.x.Rows, searchRows)
	workers, err := parallel.Cores(workers, max(1, queries.Rows, blocks))
	if err != nil {
		panic(unfit(name, "%v", err))
	}
	if queries.Rows == 0 || dist.Cols == 0 {
		return
	}
	c := s.calls.Get().(*searchCall[T])
	*c = searchCall[T]{s, idx, dist, queries}
	nearest.Search(c, queries.Rows, searchQueries, blocks, workers)
	*c = searchCall[T]{}
	s.calls.Put(c)
}
