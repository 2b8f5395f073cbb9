package nearest

import "math"

// Source ranks rows with the queries of a task: the larger a rank, the nearer the row.
type Source[T Float] interface {
	// Block turns to block b of the rows and returns their number.
	Block(b int) int
	// Above copies the ranks above least of rows from, ..., to-1 of the block with a query to val, and their places,
	// counted from from, to idx. It returns their number. Rows that it leaves out are never found.
	Above(val []T, idx []int32, query, from, to int, least T) int
	// Slack bounds how far ranks of a query with rows of block b may be from the true ones, whose order the answer
	// has: 0 where they are the true ones.
	Slack(query, b int) T
	// Order puts ranks and the numbers of their rows in the order of the true ranks, of equals the lower row first. It
	// returns the number of those that can be compared, which come first.
	Order(query int, val []T, idx []int32) int
}

// Task is a search for the nearest of a part of the rows to a block of queries.
type Task[T Float] struct {
	source Source[T]
	k      int
	rows   int // of a full block
	lists  []list[T]
	val    []T // room for what passes of a block
	idx    []int32
	low    []T // ranks less their errors
}

// list holds the rows that may be among the k nearest to a query.
type list[T Float] struct {
	val  []T // ranks
	idx  []int32
	sure T // at least k of the rows seen have this true rank, or a larger one
}

// Begin sets t to no row seen by a number of queries, which look for k rows each. rows is the number of rows in all
// blocks but the last.
func (t *Task[T]) Begin(source Source[T], k, rows, queries int) {
	t.source, t.k, t.rows = source, k, rows
	t.val, t.idx = Grown(t.val, rows), Grown(t.idx, rows)
	if all := t.lists[:cap(t.lists)]; len(all) < queries {
		t.lists = append(all, make([]list[T], queries-len(all))...)
	}
	t.lists = t.lists[:queries] // those behind keep their memory
	for i := range t.lists {
		l := &t.lists[i]
		*l = list[T]{l.val[:0], l.idx[:0], T(math.Inf(-1))}
	}
}

// Grown returns room for n elements, x where it is enough.
func Grown[E any](x []E, n int) []E {
	if cap(x) < n {
		return make([]E, n)
	}
	return x[:n]
}

// Source is the source that t began with.
func (t *Task[T]) Source() Source[T] { return t.source }

// Left returns the ranks and the numbers of the rows that may be among the nearest to a query, for Caller.Finish.
func (t *Task[T]) Left(query int) (val []T, idx []int32) {
	return t.lists[query].val, t.lists[query].idx
}

// look looks at blocks from, ..., to-1 of the rows.
func (t *Task[T]) look(from, to int) {
	for b := from; b < to; b++ {
		n := t.source.Block(b)
		for query := range t.lists {
			t.take(query, b, n)
		}
	}
}

// take adds the rows of a block, n of them, that may be among the nearest.
func (t *Task[T]) take(query, b, n int) {
	l, slack := &t.lists[query], t.source.Slack(query, b)
	first := max(64, 2*t.k) // rows until there is something to compare with
	for at := 0; at < n; {
		to := n
		if len(l.val) < t.k {
			to = min(n, at+first)
		}
		least := l.sure // with true ranks no later row of this one displaces an earlier one
		if slack > 0 {
			least = Below(l.sure - slack)
		}
		found := t.source.Above(t.val, t.idx, query, at, to, least)
		l.val = append(l.val, t.val[:found]...)
		for _, i := range t.idx[:found] {
			l.idx = append(l.idx, int32(b*t.rows+at)+i)
		}
		if len(l.val) > 4*t.k+64 || l.sure == T(math.Inf(-1)) && len(l.val) >= t.k {
			t.prune(query)
		}
		at = to
	}
}

// prune drops what is not among the k nearest for certain. Where that leaves too many it compares them.
func (t *Task[T]) prune(query int) {
	t.drop(query)
	l := &t.lists[query]
	if len(l.val) <= 2*t.k+32 {
		return
	}
	n := min(t.k, t.source.Order(query, l.val, l.idx))
	l.val, l.idx = l.val[:n], l.idx[:n]
	t.drop(query) // for sure, which may have grown
}

// drop raises sure and drops what cannot reach it.
func (t *Task[T]) drop(query int) {
	l := &t.lists[query]
	if len(l.val) < t.k {
		return
	}
	t.low = Grown(t.low, len(l.val))
	for i, v := range l.val {
		t.low[i] = v
		if slack := t.slack(query, l.idx[i]); slack > 0 {
			t.low[i] = Below(v - slack)
		}
	}
	l.sure = max(l.sure, Nth(t.low, t.k-1))
	kept := 0
	for i, v := range l.val {
		if v+t.slack(query, l.idx[i]) >= l.sure {
			l.val[kept], l.idx[kept] = v, l.idx[i]
			kept++
		}
	}
	l.val, l.idx = l.val[:kept], l.idx[:kept]
}

func (t *Task[T]) slack(query int, row int32) T { return t.source.Slack(query, int(row)/t.rows) }

// join adds what another part of the rows has left.
func (t *Task[T]) join(other *Task[T]) {
	for i := range t.lists {
		l, o := &t.lists[i], &other.lists[i]
		l.val, l.idx = append(l.val, o.val...), append(l.idx, o.idx...)
	}
}

// finish hands what is left of each query to the caller.
func (t *Task[T]) finish(c Caller[T]) {
	for query := range t.lists {
		t.drop(query)
		c.Finish(t, query)
	}
}
