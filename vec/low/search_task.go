package low

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/nearest"
	"github.com/dualgap/dualgap/vec"
)

const (
	searchRows    = 1024 // of the matrix in a block
	searchQueries = 256  // in a block: their products with the rows of a block stay in the second cache
)

// searchCall is a call of Nearest.
type searchCall[T int8 | uint8 | uint64] struct {
	s       *Searcher[T]
	idx     []int32
	dist    vec.Matrix[float64]
	queries vec.Matrix[T]
}

// searchTask ranks rows with a block of queries: it is a nearest.Source.
type searchTask[T int8 | uint8 | uint64] struct {
	task     nearest.Task[float64]
	s        *Searcher[T]
	first    int           // of the queries in the call
	queries  vec.Matrix[T] // as they came
	factors  vec.Matrix[T] // as products have them
	flipped  []T           // room of factors
	sizes    []int64       // of the queries
	block    int           // of rows
	products vec.Matrix[int32]
	room     []int32 // of products
	ranked   []ranked
}

// Begin: see nearest.Caller. Queries of bits are flipped: bits that are equal are then counted, so that the nearest row
// has the largest product.
func (c *searchCall[T]) Begin(from, to int) *nearest.Task[float64] {
	s, t := c.s, c.s.tasks.Get().(*searchTask[T])
	t.s, t.first, t.queries = s, from, c.queries.Slice(from, to, 0, c.queries.Cols)
	n := t.queries.Rows
	t.room, t.sizes = nearest.Grown(t.room, n*searchRows), nearest.Grown(t.sizes, n)
	t.factors = t.queries
	if s.offset > 0 {
		t.flipped = nearest.Grown(t.flipped, n*s.x.Cols)
		t.factors = vec.MatrixOf(n, s.x.Cols, t.flipped)
	}
	for i := range n {
		row := t.queries.Row(i)
		t.sizes[i] = s.size(row)
		if s.offset > 0 {
			for j, word := range row {
				t.flipped[i*len(row)+j] = ^word
			}
		}
	}
	t.task.Begin(t, c.dist.Cols, searchRows, n)
	return &t.task
}

// End: see nearest.Caller.
func (c *searchCall[T]) End(task *nearest.Task[float64]) {
	t := task.Source().(*searchTask[T])
	t.queries, t.factors, t.products = vec.Matrix[T]{}, vec.Matrix[T]{}, vec.Matrix[int32]{}
	c.s.tasks.Put(t)
}

// Block computes the products of block b: see nearest.Source.
func (t *searchTask[T]) Block(b int) int {
	s := t.s
	rows := s.x.Slice(b*searchRows, min((b+1)*searchRows, s.x.Rows), 0, s.x.Cols)
	t.block = b
	t.products = vec.Matrix[int32]{Rows: t.queries.Rows, Cols: rows.Rows, Stride: searchRows, Data: t.room}
	s.products(t.products, t.factors, rows)
	return rows.Rows
}

// Above finds rows by the least product that the rank asks for, then ranks these: see nearest.Source.
func (t *searchTask[T]) Above(val []float64, idx []int32, query, from, to int, least float64) int {
	s, p, size := t.s, t.products.Row(query)[from:to], t.sizes[query]
	first, found := t.block*searchRows+from, 0
	if s.metric.lined() {
		slope, floor := s.metric.line(least, size)
		most := float64(s.high) + math.Abs(slope)*s.most
		found = exceedLine(idx, p, s.scales[first:], slope, floor+float64(s.offset), most)
	} else {
		halves := s.halves[:to-from] // zeros
		if s.metric == byL2 {
			halves = s.halves[first:][:to-from]
		}
		found = exceed(idx, p, halves, s.metric.floor(least)+float64(s.offset), s.low, s.high)
	}
	n := 0
	for _, i := range idx[:found] {
		if r := s.metric.rank(int64(p[i])-s.offset, int64(s.sizes[first+int(i)]), size); r > least {
			val[n], idx[n] = r, i
			n++
		}
	}
	return n
}

// Slack: see nearest.Source.
func (t *searchTask[T]) Slack(query, _ int) float64 { return t.s.metric.slack(t.sizes[query]) }

// Order: see nearest.Source.
func (t *searchTask[T]) Order(query int, val []float64, idx []int32) int {
	for i, r := range t.order(query, val, idx) {
		val[i], idx[i] = r.rank, r.number
	}
	return len(idx)
}

// order returns rows in order.
func (t *searchTask[T]) order(query int, val []float64, idx []int32) []ranked {
	t.ranked = t.ranked[:0]
	for i, row := range idx {
		size := int64(t.s.sizes[row])
		v, ok := t.s.metric.product(val[i], size)
		if !ok {
			v = t.s.pair(t.s.x.Row(int(row)), t.queries.Row(query))
		}
		t.ranked = append(t.ranked, ranked{val[i], v, size, row})
	}
	slices.SortFunc(t.ranked, t.s.metric.compare)
	return t.ranked
}

// Finish writes the nearest rows of one query: see nearest.Caller.
func (c *searchCall[T]) Finish(task *nearest.Task[float64], query int) {
	t, k := task.Source().(*searchTask[T]), c.dist.Cols
	val, left := task.Left(query)
	best := t.order(query, val, left)
	i := t.first + query
	idx, dist := c.idx[i*k:][:k], c.dist.Row(i)
	for j := range idx {
		idx[j], dist[j] = -1, c.s.metric.farthest()
		if j < len(best) {
			r := best[j]
			idx[j], dist[j] = r.number, c.s.metric.distance(r.v, r.row, t.sizes[query])
		}
	}
}
