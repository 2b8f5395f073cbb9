package vec

import (
	"math"

	"github.com/dualgap/dualgap/internal/nearest"
)

const (
	nearestRows    = 1024 // of the matrix in a block
	nearestQueries = 1024 // in a block: enough that copying rows for a product costs little
)

// nearestCall is a call of Nearest.
type nearestCall[T Float] struct {
	s             *Searcher[T]
	idx           []int32
	dist, queries Matrix[T]
}

// nearestTask ranks rows with a block of queries, by products in T: it is a nearest.Source.
type nearestTask[T Float] struct {
	task     nearest.Task[T]
	s        *Searcher[T]
	first    int // of the queries in the call
	queries  Matrix[T]
	norms    []float64 // of the queries
	hard     []bool    // queries that are compared with all rows in float64
	from     int       // the first row of the block
	products Matrix[T] // queries by rows of the block
	room     []T       // of products
	rows     []int32   // to compare
	pairs    nearestPairs
}

// Begin: see nearest.Caller.
func (c *nearestCall[T]) Begin(from, to int) *nearest.Task[T] {
	t := c.s.tasks.Get().(*nearestTask[T])
	t.begin(c.s, c.dist.Cols, c.queries.Slice(from, to, 0, c.queries.Cols))
	t.first = from
	return &t.task
}

// End: see nearest.Caller.
func (c *nearestCall[T]) End(task *nearest.Task[T]) {
	t := task.Source().(*nearestTask[T])
	t.queries, t.products = Matrix[T]{}, Matrix[T]{}
	c.s.tasks.Put(t)
}

// begin sets t to no row seen.
func (t *nearestTask[T]) begin(s *Searcher[T], k int, queries Matrix[T]) {
	t.s, t.queries = s, queries
	t.room = nearest.Grown(t.room, queries.Rows*nearestRows)
	t.norms, t.hard = nearest.Grown(t.norms, queries.Rows), nearest.Grown(t.hard, queries.Rows)
	for i := range t.norms {
		square := SquaredNorm(queries.Row(i))
		t.norms[i], t.hard[i] = math.Sqrt(float64(square)), !s.easy(square)
	}
	t.task.Begin(t, k, nearestRows, queries.Rows)
}

// Block computes the products of block b: see nearest.Source.
func (t *nearestTask[T]) Block(b int) int {
	s := t.s
	from, to := b*nearestRows, min((b+1)*nearestRows, s.x.Rows)
	rows, n := s.x.Slice(from, to, 0, s.x.Cols), to-from
	t.from, t.products = from, MatrixOf(t.queries.Rows, n, t.room[:t.queries.Rows*n])
	if t.queries.Rows == 1 {
		Gemv(1, rows, t.queries.Row(0), 0, t.products.Row(0))
	} else {
		Gemm(NoTrans, Transposed, 1, t.queries, rows, 0, t.products)
	}
	return n
}

// Above makes ranks of products: see nearest.Source. Hard rows, of which products may be anything, get NaN.
func (t *nearestTask[T]) Above(val []T, idx []int32, query, from, to int, least T) int {
	if t.hard[query] {
		return 0
	}
	ranks, adjust := t.products.Row(query)[from:to], t.s.adjust[t.from+from:t.from+to]
	switch {
	case t.s.metric == CosineSimilarity:
		Mul(ranks, ranks, adjust)
	case t.s.metric == L2 || len(t.s.hard) > 0:
		Axpy(1, adjust, ranks)
	}
	return FilterAbove(val, idx, ranks, least)
}

// Slack bounds how far apart two ranks are of a query and a row of block b: as computed in T, and as the comparison in
// float64 has them. Both have sums of d products, whose errors are (d+3)u times the norms to first order (which the
// factor covers for d u < 1/64), and what d products lose where they underflow.
//
//	L2      <x,q> - |x|²/2 = (|q|² - |x-q|²)/2: norms are (|x|+|q|)²/2
//	cosine  <x,q>/|x|: norms are |q|
func (t *nearestTask[T]) Slack(query, b int) T {
	s, norm := t.s, t.norms[query]
	d, x := float64(s.x.Cols+6), s.norms[b]
	size := norm * x
	if s.metric == L2 {
		size = (norm + x) * (norm + x) / 2
	}
	least := 0x1p-149
	if !isF32[T]() {
		least = 0x1p-1074
	}
	return T(1.05*d*(unit[T]()+0x1p-53)*size + 2*d*least)
}
