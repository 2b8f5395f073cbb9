package ascent

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// rows reads single examples: from sparse or dense rows in memory, or through design.Matrix. The constant feature is
// the last one of W. That all rows fit d features was validated by Examples: it is what allows the products below to go
// without the checks of vec, which would take up to a third of their time, at each of many visits.
type rows[T vec.Float] struct {
	x        design.Matrix[T] // with the constant feature
	sparse   design.SparseRows[T]
	dense    design.DenseRows[T]
	constant T
	d        int  // features, without the constant one
	all      bool // see block

	// Sparse rows as they lie in memory; ptr is nil where they do not follow each other.
	ptr     []int
	columns []int32
	values  []T

	// Each worker has rows of its own. Where ptr is nil, these are of the last examples whose sparse rows were asked
	// for: an example is asked for ahead of its visit, for its scores, and for its move.
	last [4]sparseRow[T]
	one  [1]int

	number [1]T // a score or a step

	// Examples that are not sparse less their mean, without the constant feature, and the last one; nil: there is none.
	less design.Matrix[T]
	mean []T
	own  []T
	held int // 1 more than its number
}

type sparseRow[T vec.Float] struct {
	example int // 1 more than its number
	columns []int32
	values  []T
}

// row returns the sparse row of example i.
func (r *rows[T]) row(i int) ([]int32, []T) {
	if r.ptr != nil {
		p, q := r.ptr[i], r.ptr[i+1]
		return r.columns[p:q], r.values[p:q]
	}
	row := &r.last[i%len(r.last)]
	if row.example != i+1 {
		row.example = i + 1
		row.columns, row.values = r.sparse.Row(i)
	}
	return row.columns, row.values
}

func newRows[T vec.Float](x design.Matrix[T], p *Problem[T]) rows[T] {
	_, d := x.Dims()
	r := rows[T]{x: p.features(x), constant: p.Constant, d: d, all: p.Loss.Traits().AllMove}
	if r.sparse, _ = x.(design.SparseRows[T]); r.sparse != nil {
		r.ptr, r.columns, r.values = design.Packed(r.sparse)
	}
	r.dense, _ = x.(design.DenseRows[T])
	if p.mean != nil {
		r.less, r.mean = design.Centered(x, p.mean), p.mean
		r.x = p.features(r.less)
	}
	return r
}

// whole reports whether denseRow may be called.
func (r *rows[T]) whole() bool { return r.dense != nil || r.less != nil }

// denseRow returns the numbers of example i, less the mean if there is one.
func (r *rows[T]) denseRow(i int) []T {
	switch {
	case r.less == nil:
		return r.dense.Row(i)
	case r.held == i+1:
		return r.own
	case r.own == nil:
		r.own = make([]T, r.d)
	}
	r.held = i + 1
	if r.dense == nil {
		r.one[0] = i
		r.less.Gather(vec.MatrixOf(1, r.d, r.own), r.one[:])
		return r.own
	}
	copy(r.own, r.dense.Row(i))
	vec.Axpy(-1, r.mean, r.own)
	return r.own
}

// scores sets dst = Wᵀ x_i. Rows that lie in memory are multiplied at once: the checks of products by blocks of rows
// would take as long as the product of a short one.
func (r *rows[T]) scores(dst []T, i int, w *vec.Matrix[T]) {
	switch {
	case w.Stride == 1:
		dst[0] = r.score(i, w.Data)
		return
	case r.sparse != nil:
		columns, values := r.row(i)
		unchecked.SparseGemvT(w, columns, values, dst)
	case r.whole():
		unchecked.GemvT(w, r.denseRow(i), dst)
	default:
		r.one[0] = i
		r.x.Scores(vec.MatrixOf(1, len(dst), dst), *w, r.one[:])
		return
	}
	if r.constant != 0 {
		vec.Axpy(r.constant, w.Row(r.d), dst)
	}
}

// score returns <w, x_i> of one output.
func (r *rows[T]) score(i int, w []T) (s T) {
	switch {
	case r.sparse != nil:
		columns, values := r.row(i)
		s = unchecked.SparseDot(columns, values, w)
	case r.whole():
		row := r.denseRow(i)
		s = vec.Dot(row, w[:len(row)])
	default:
		r.one[0] = i
		r.x.Scores(vec.MatrixOf(1, 1, r.number[:]), vec.MatrixOf(len(w), 1, w), r.one[:])
		return r.number[0]
	}
	if r.constant != 0 {
		s += r.constant * w[r.d]
	}
	return s
}

// addTo adds step x_i to w, of one output.
func (r *rows[T]) addTo(w []T, i int, step T) {
	switch {
	case r.sparse != nil:
		columns, values := r.row(i)
		unchecked.SparseAxpy(step, columns, values, w)
	case r.whole():
		row := r.denseRow(i)
		vec.Axpy(step, row, w[:len(row)])
	default:
		r.one[0], r.number[0] = i, step
		r.x.Accumulate(vec.MatrixOf(len(w), 1, w), vec.MatrixOf(1, 1, r.number[:]), r.one[:])
		return
	}
	if r.constant != 0 {
		w[r.d] += r.constant * step
	}
}

// exactScore is score in float64, of sparse rows that lie in memory.
func (r *rows[T]) exactScore(i int, w []float64) float64 {
	columns, values := r.row(i)
	s := unchecked.SparseDot64(columns, values, w)
	if r.constant != 0 {
		s += float64(r.constant) * w[r.d]
	}
	return s
}

// addExact is addTo in float64, of sparse rows that lie in memory.
func (r *rows[T]) addExact(w []float64, i int, step float64) {
	columns, values := r.row(i)
	unchecked.SparseAxpy64(step, columns, values, w)
	if r.constant != 0 {
		w[r.d] += float64(r.constant) * step
	}
}

// add adds x_i deltaᵀ to W.
func (r *rows[T]) add(w *vec.Matrix[T], i int, delta []T) {
	switch {
	case w.Stride == 1:
		r.addTo(w.Data, i, delta[0])
		return
	case r.sparse != nil:
		columns, values := r.row(i)
		unchecked.SparseGer(columns, values, delta, w)
	case r.whole():
		ger(w, r.denseRow(i), delta, r.all)
	default:
		r.one[0] = i
		r.x.Accumulate(*w, vec.MatrixOf(1, len(delta), delta), r.one[:])
		return
	}
	if r.constant != 0 {
		vec.Axpy(r.constant, delta, w.Row(r.d))
	}
}

// prefetch loads the features of example i, to be visited next, or one block from now where they are gathered.
func (r *rows[T]) prefetch(i int, gathered bool) {
	switch {
	case r.sparse != nil:
		columns, values := r.row(i)
		unchecked.Prefetch(columns)
		unchecked.Prefetch(values)
	case r.dense != nil && (r.d <= 512 || gathered): // the processor fetches the rest of a long row by itself
		unchecked.Prefetch(r.dense.Row(i)[:min(r.d, 1024)])
	}
}

// announce loads where the sparse row of example i lies: prefetch, one visit later, need not wait for that.
func (r *rows[T]) announce(i int) {
	if r.ptr != nil {
		unchecked.Prefetch(r.ptr[i : i+1])
	}
}

// stored returns how many numbers sparse rows hold.
func (r *rows[T]) stored(n int) (stored int) {
	for i := range n {
		columns, _ := r.sparse.Row(i)
		stored += len(columns)
	}
	return stored
}

// ger adds x yᵀ to a, where y is a move, padded: 0 for most outputs unless all of them move.
func ger[T vec.Float](a *vec.Matrix[T], x, y []T, all bool) {
	if all {
		unchecked.Ger(x, y, a)
	} else {
		unchecked.GerSome(x, y, a)
	}
}
