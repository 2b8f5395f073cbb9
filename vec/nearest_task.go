package vec

import (
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
)

const (
	nearestRows    = 1024 // of the matrix in a block
	nearestQueries = 1024 // in a block: enough that copying rows for a product costs little
)

// nearestTask is a search for the nearest of a part of the rows to a block of queries.
type nearestTask[T Float] struct {
	s        *Searcher[T]
	k        int
	queries  Matrix[T]
	products []T // queries by rows of a block
	val      []T // room for what passes of a block
	idx      []int32
	states   []nearestState[T] // of each query
	low      []T               // ranks less their errors
	pairs    nearestPairs
}

// nearestState holds the rows that may be among the k nearest to a query.
type nearestState[T Float] struct {
	hard bool // the query is compared with all rows in float64
	norm float64
	val  []T // ranks as computed: the larger, the nearer
	idx  []int32
	sure T // at least k of the rows seen have this rank, or a larger one, whatever the errors
}

// nearest shares the search: blocks of queries, and parts of the rows where there are fewer of these than workers.
func (s *Searcher[T]) nearest(idx []int32, dist, queries Matrix[T], workers int) {
	blocks := (queries.Rows + nearestQueries - 1) / nearestQueries
	parts := max(1, min(workers/blocks, len(s.norms)))
	k := dist.Cols
	tasks := make([]*nearestTask[T], blocks*parts)
	parallel.Do(workers, len(tasks), func(_, i int) {
		block, part := i/parts, i%parts
		from, to := block*nearestQueries, min((block+1)*nearestQueries, queries.Rows)
		t := s.pool.Get().(*nearestTask[T])
		tasks[i] = t
		t.begin(s, k, queries.Slice(from, to, 0, queries.Cols))
		for b := parallel.Share(len(s.norms), parts, part); b < parallel.Share(len(s.norms), parts, part+1); b++ {
			t.block(b)
		}
	})
	parallel.Do(workers, blocks, func(_, block int) {
		t := tasks[block*parts]
		for i := range t.states {
			for _, other := range tasks[block*parts+1:][:parts-1] {
				t.states[i].join(&other.states[i])
			}
			row := block*nearestQueries + i
			t.finish(i, idx[row*k:][:k], dist.Row(row))
		}
	})
	for _, t := range tasks {
		t.s, t.queries = nil, Matrix[T]{}
		s.pool.Put(t)
	}
}

// begin sets t to no row seen.
func (t *nearestTask[T]) begin(s *Searcher[T], k int, queries Matrix[T]) {
	t.s, t.k, t.queries = s, k, queries
	t.products = grown(t.products, queries.Rows*nearestRows)
	t.val, t.idx = grown(t.val, nearestRows), grown(t.idx, nearestRows)
	for len(t.states) < queries.Rows {
		t.states = append(t.states, nearestState[T]{})
	}
	t.states = t.states[:queries.Rows]
	for i := range t.states {
		square := SquaredNorm(queries.Row(i))
		state := &t.states[i]
		*state = nearestState[T]{hard: !s.easy(square), norm: math.Sqrt(float64(square)), val: state.val[:0],
			idx: state.idx[:0], sure: T(math.Inf(-1))}
	}
}

// grown returns room for n elements, x where it is enough.
func grown[E any](x []E, n int) []E {
	if cap(x) < n {
		return make([]E, n)
	}
	return x[:n]
}

// block looks at block b of the rows.
func (t *nearestTask[T]) block(b int) {
	s := t.s
	from, to := b*nearestRows, min((b+1)*nearestRows, s.x.Rows)
	rows, n := s.x.Slice(from, to, 0, s.x.Cols), to-from
	products := MatrixOf(t.queries.Rows, n, t.products[:t.queries.Rows*n])
	if t.queries.Rows == 1 {
		Gemv(1, rows, t.queries.Row(0), 0, products.Row(0))
	} else {
		Gemm(NoTrans, Transposed, 1, t.queries, rows, 0, products)
	}
	for i := range t.states {
		if t.states[i].hard {
			continue
		}
		ranks := products.Row(i)
		switch s.metric {
		case L2:
			Axpy(1, s.adjust[from:to], ranks)
		case InnerProduct:
			t.forget(ranks, from)
		case CosineSimilarity:
			Mul(ranks, ranks, s.adjust[from:to])
		}
		t.take(&t.states[i], i, ranks, from, s.slack(b, t.states[i].norm))
	}
}

// forget removes the ranks of hard rows, which may be anything: of other metrics what ranks are made with does it.
func (t *nearestTask[T]) forget(ranks []T, from int) {
	if len(t.s.hard) > 0 {
		Axpy(1, t.s.adjust[from:][:len(ranks)], ranks)
	}
}

// slack bounds how far apart two ranks are of a query and a row of block b: as computed in T, and as the comparison in
// float64 has them. Both have sums of d products, whose errors are (d+3)u times the norms to first order (which the
// factor covers for d u < 1/64), and what d products lose where they underflow.
//
//	L2      <x,q> - |x|²/2 = (|q|² - |x-q|²)/2: norms are (|x|+|q|)²/2
//	cosine  <x,q>/|x|: norms are |q|
func (s *Searcher[T]) slack(b int, norm float64) T {
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

// take adds the rows of a block, from row from on, that may be among the nearest.
func (t *nearestTask[T]) take(state *nearestState[T], query int, ranks []T, from int, slack T) {
	first := max(64, 2*t.k) // rows until there is something to compare with
	for at := 0; at < len(ranks); {
		to := len(ranks)
		if len(state.val) < t.k {
			to = min(to, at+first)
		}
		n := FilterAbove(t.val, t.idx, ranks[at:to], below(state.sure-slack))
		state.val = append(state.val, t.val[:n]...)
		for _, i := range t.idx[:n] {
			state.idx = append(state.idx, int32(from+at)+i)
		}
		if len(state.val) > 4*t.k+64 || state.sure == T(math.Inf(-1)) && len(state.val) >= t.k {
			t.prune(state, query)
		}
		at = to
	}
}

// prune drops what is not among the k nearest for certain. Where that leaves too many it compares them in float64.
func (t *nearestTask[T]) prune(state *nearestState[T], query int) {
	t.drop(state)
	if len(state.val) <= 2*t.k+32 {
		return
	}
	best := t.compare(query, state.idx, state.val)
	best = best[:min(t.k, len(best))]
	for i, r := range best {
		state.idx[i], state.val[i] = r.row, T(r.rank)
	}
	state.idx, state.val = state.idx[:len(best)], state.val[:len(best)]
	t.drop(state) // for sure, which may have grown
}

// drop raises sure and drops what cannot reach it.
func (t *nearestTask[T]) drop(state *nearestState[T]) {
	n := len(state.val)
	if n < t.k {
		return
	}
	t.low = grown(t.low, n)
	for i, v := range state.val {
		t.low[i] = below(v - t.s.slack(int(state.idx[i])/nearestRows, state.norm))
	}
	state.sure = max(state.sure, nth(t.low, t.k-1))
	kept := 0
	for i, v := range state.val {
		slack := t.s.slack(int(state.idx[i])/nearestRows, state.norm)
		if v+slack >= state.sure {
			state.val[kept], state.idx[kept] = v, state.idx[i]
			kept++
		}
	}
	state.val, state.idx = state.val[:kept], state.idx[:kept]
}

// join adds what another part of the rows has left.
func (s *nearestState[T]) join(other *nearestState[T]) {
	s.sure = max(s.sure, other.sure)
	s.val, s.idx = append(s.val, other.val...), append(s.idx, other.idx...)
}
