package vec

import (
	"fmt"
	"math"
	"sync"

	"github.com/dualgap/dualgap/internal/nearest"
	"github.com/dualgap/dualgap/internal/shape"
)

// Metric is what rows are compared by.
type Metric uint8

const (
	L2               Metric = iota // |x - q|², the squared Euclidean distance: the least is nearest
	InnerProduct                   // <x, q>: the largest is nearest
	CosineSimilarity               // as Cosine has it: the largest is nearest
)

// String returns the metric's name.
func (m Metric) String() string {
	if int(m) < len(metrics) {
		return metrics[m]
	}
	return fmt.Sprintf("Metric(%d)", uint8(m))
}

var metrics = [...]string{L2: "L2", InnerProduct: "InnerProduct", CosineSimilarity: "CosineSimilarity"}

// Searcher finds the rows of a matrix that are nearest to a query, exactly: it compares the query with all of them. It
// holds what searches share: the rows, which it does not copy, and one number for each. All methods may be called at
// the same time. The rows must not change while it is in use.
//
// # Exactness
//
// The answer is the one of a comparison of all pairs in float64: by [SquaredDistance], [Dot] or [Cosine] of the numbers
// as float64, and of equals the lower row first. A search computes products of matrices in T, whose errors have a
// bound, (d+3)u |q||x| and the like; it then compares in float64 the rows that the bound does not exclude. These are a
// few more than the k nearest as a rule, and many where the rows lie close together compared with their distance from
// 0: subtract their mean from rows and queries then.
type Searcher[T Float] struct {
	x      Matrix[T]
	metric Metric
	adjust []T       // of each row, what makes a rank of its product with a query; NaN: compare in float64
	norms  []float64 // of each block of rows, a bound on their norms
	hard   []int32   // the rows that are always compared in float64: too large, too small or not finite
	calls  sync.Pool // of *nearestCall[T]
	tasks  sync.Pool // of *nearestTask[T]
}

// NewSearcher prepares searches for rows of x. It costs O(n d) and takes one number for each row. It panics where x is
// no matrix, has more rows than an int32 counts, and for a metric that there is not.
func NewSearcher[T Float](x Matrix[T], metric Metric) *Searcher[T] {
	const name = "NewSearcher"
	x.demand(name)
	fitInt32(name, x.Rows)
	if int(metric) >= len(metrics) {
		panic(unfit(name, "there is no %v", metric))
	}
	s := &Searcher[T]{x: x, metric: metric, adjust: make([]T, x.Rows),
		norms: make([]float64, shape.Pieces(x.Rows, nearestRows))}
	s.calls.New = func() any { return new(nearestCall[T]) }
	s.tasks.New = func() any { return new(nearestTask[T]) }
	for i := range x.Rows {
		square := SquaredNorm(x.Row(i))
		if !s.easy(square) {
			s.adjust[i] = T(math.NaN())
			s.hard = append(s.hard, int32(i))
			continue
		}
		norm := math.Sqrt(float64(square))
		block := &s.norms[i/nearestRows]
		switch metric {
		case L2:
			s.adjust[i] = -square / 2
			*block = max(*block, norm)
		case InnerProduct:
			*block = max(*block, norm)
		case CosineSimilarity:
			if square > 0 {
				s.adjust[i] = T(1 / norm)
				*block = 1
			}
		}
	}
	return s
}

// easy reports whether a row, or a query, with that squared norm may be ranked by products in T.
func (s *Searcher[T]) easy(square T) bool {
	switch {
	case s.metric == CosineSimilarity:
		return square == 0 || safeSquare(square, s.x.Cols)
	case float64(s.x.Cols)*unit[T]() > 1.0/64:
		return false // the bound on errors says nothing
	case isF32[T]():
		return float64(square) <= 0x1p120
	}
	return float64(square) <= 0x1p1000
}

// unit is the unit roundoff u of T.
func unit[T Float]() float64 {
	if isF32[T]() {
		return 0x1p-24
	}
	return 0x1p-53
}

// Nearest finds, for each row of queries, the k = dist.Cols nearest rows: dist[i, j] is the distance (L2), or the
// product, of query i and its j-th nearest row, and idx[i*k+j] that row's number. Where there are fewer than k rows
// that can be compared, as a row with a NaN cannot, idx is -1 for the rest and dist +Inf (L2) or -Inf. Several
// goroutines work, all cores for workers = 0; the answer does not depend on their number. One query costs a pass over
// all rows, many in one call little more than their product with all rows. Memory is kept for later calls: with it one
// worker allocates nothing. It panics unless the sizes fit: queries is
// m-by-d, dist m-by-k and idx of length m k.
func (s *Searcher[T]) Nearest(idx []int32, dist, queries Matrix[T], workers int) {
	const name = "Searcher.Nearest"
	workers = team(name, workers)
	if queries.Cols != s.x.Cols || dist.Rows != queries.Rows || dist.Cols > 0 && len(idx) != dist.Rows*dist.Cols {
		panic(unfit(name, "%d indices and dist %dx%d for queries %dx%d and rows of %d numbers", len(idx), dist.Rows,
			dist.Cols, queries.Rows, queries.Cols, s.x.Cols))
	}
	queries.demand(name)
	dist.demand(name)
	if queries.Rows == 0 || dist.Cols == 0 {
		return
	}
	c := s.calls.Get().(*nearestCall[T])
	*c = nearestCall[T]{s, idx, dist, queries}
	nearest.Search(c, queries.Rows, nearestQueries, len(s.norms), workers)
	*c = nearestCall[T]{}
	s.calls.Put(c)
}
