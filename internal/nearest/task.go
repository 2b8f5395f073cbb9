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
	val   []T // ranks
	idx   []int32
	sure  T // at least k of the rows seen have this true rank, or a larger one
	slack T // the error of all ranks, -1 as long as there are none, NaN where blocks differ
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
		*l = list[T]{l.val[:0], l.idx[:0], T(math.Inf(-1)), -1}
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

// take adds the rows of a block, n of them, that may be among the nearest: of the first block parts that grow, so that
// what passes a part is judged by the rows before.
func (t *Task[T]) take(query, b, n int) {
	l, slack := &t.lists[query], t.source.Slack(query, b)
	l.note(slack)
	for at, to := 0, n; at < n; at = to {
		young := l.sure == T(math.Inf(-1))
		switch {
		case young || at > 0:
			to = min(n, max(64, 2*t.k, 4*at))
		default:
			to = n
		}
		// With true ranks no later row displaces an earlier one.
		found := t.source.Above(t.val, t.idx, query, at, to, reduced(l.sure, slack))
		if found == 0 {
			continue
		}
		l.val = append(l.val, t.val[:found]...)
		for _, i := range t.idx[:found] {
			l.idx = append(l.idx, int32(b*t.rows+at)+i)
		}
		if len(l.val) > 3*t.k+48 || young && len(l.val) >= t.k || at > 0 {
			t.prune(query)
		}
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
	copy(t.low, l.val)
	if l.slack >= 0 { // the order stays
		l.sure = max(l.sure, reduced(Nth(t.low, t.k-1), l.slack))
	} else {
		for i, v := range t.low {
			t.low[i] = reduced(v, t.slack(query, i))
		}
		l.sure = max(l.sure, Nth(t.low, t.k-1))
	}
	kept := 0
	for i, v := range l.val {
		l.val[kept], l.idx[kept] = v, l.idx[i]
		if v+t.slack(query, i) >= l.sure {
			kept++
		}
	}
	l.val, l.idx = l.val[:kept], l.idx[:kept]
}

// reduced is below a rank less its error, or the rank where it has none.
func reduced[T Float](rank, slack T) T {
	if slack > 0 {
		return Below(rank - slack)
	}
	return rank
}

// slack bounds the error of element i of a list.
func (t *Task[T]) slack(query, i int) T {
	l := &t.lists[query]
	if l.slack >= 0 {
		return l.slack
	}
	return t.source.Slack(query, int(l.idx[i])/t.rows)
}

// note takes down the error of ranks that l gets.
func (l *list[T]) note(slack T) {
	if l.slack == -1 {
		l.slack = slack
	} else if slack != -1 && slack != l.slack {
		l.slack = T(math.NaN())
	}
}

// join adds what another part of the rows has left.
func (t *Task[T]) join(other *Task[T]) {
	for i := range t.lists {
		l, o := &t.lists[i], &other.lists[i]
		l.val, l.idx = append(l.val, o.val...), append(l.idx, o.idx...)
		l.note(o.slack)
	}
}

// finish hands what is left of each query to the caller.
func (t *Task[T]) finish(c Caller[T]) {
	for query := range t.lists {
		t.drop(query)
		c.Finish(t, query)
	}
}
