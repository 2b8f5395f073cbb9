package oneclass

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// rows reads examples for products in float64. That they fit d features was validated by family.Begin: sparse rows go
// without checks.
type rows[T vec.Float] struct {
	x       design.Matrix[float64]
	n, d    int
	workers int
	norms   []float64 // |x_i|²

	sparse design.SparseRows[T]
	ptr    []int // of sparse rows as they lie in memory; nil where they do not follow each other
	of     []int32
	values []T
	narrow design.DenseRows[T]       // rows in memory, or
	wide   design.DenseRows[float64] // the same where T is float64
	room   [2][]float64              // of rows that are not sparse, and of zeros where they are
	one    [1]int
	some   []float64 // scores of some examples of a storage that has no rows in float64
	width  float64   // about how many numbers of an example are not 0
}

// copied is how many numbers a copy of dense examples in float64 may have: such a copy stays in a cache as a rule.
const copied = 1 << 22

// newRows returns the rows of x, or an error where one is not finite.
func newRows[T vec.Float](x design.Matrix[T], workers int) (r rows[T], err error) {
	n, d := x.Dims()
	wide := design.Float64(x)
	if n*d <= copied {
		wide = design.CopiedFloat64(x)
	}
	r = rows[T]{x: wide, n: n, d: d, workers: workers, norms: make([]float64, n)}
	r.x.SquaredNorms(r.norms)
	largest := 0.0
	for _, v := range r.norms {
		largest = max(largest, v) // NaN stays
	}
	if square := T(largest); square-square != 0 {
		if _, err := ascent.Norms(x, 0); err != nil {
			return r, err
		}
	}
	if r.sparse, _ = x.(design.SparseRows[T]); r.sparse != nil {
		r.ptr, r.of, r.values = design.Packed(r.sparse)
	}
	r.narrow, _ = x.(design.DenseRows[T])
	r.wide, _ = wide.(design.DenseRows[float64])
	r.width = float64(family.Width(x))
	if r.sparse == nil && r.wide == nil {
		r.some = make([]float64, n)
	}
	for k := range r.room {
		if r.wide == nil && (r.sparse == nil || k == 0) {
			r.room[k] = make([]float64, d)
		}
	}
	return r, nil
}

// row returns example i, which is not sparse, in the room k if it has to be converted.
func (r *rows[T]) row(k, i int) []float64 {
	switch {
	case r.wide != nil:
		return r.wide.Row(i)
	case r.narrow != nil:
		vec.Convert(r.room[k], r.narrow.Row(i))
	default:
		r.one[0] = i
		r.x.Gather(vec.MatrixOf(1, r.d, r.room[k]), r.one[:])
	}
	return r.room[k]
}

// sparseRow returns the columns and the values of example i.
func (r *rows[T]) sparseRow(i int) ([]int32, []T) {
	if r.ptr != nil {
		from, to := r.ptr[i], r.ptr[i+1]
		return r.of[from:to], r.values[from:to]
	}
	return r.sparse.Row(i)
}

// scores sets g of the given examples, in order, to their products with w.
func (r *rows[T]) scores(g, w []float64, of []int) {
	switch {
	case len(of) == r.n && r.sparse == nil:
		design.ScoresAll(vec.MatrixOf(r.n, 1, g), vec.MatrixOf(r.d, 1, w), r.x, r.workers)
	case r.sparse == nil && r.wide == nil:
		r.x.Scores(vec.MatrixOf(len(of), 1, r.some[:len(of)]), vec.MatrixOf(r.d, 1, w), of)
		for p, i := range of {
			g[i] = r.some[p]
		}
	case r.workers == 1: // a function for goroutines would be an allocation
		r.someScores(g, w, of)
	default:
		time := r.width / 4 * float64(len(of)) // ns
		parallel.Chunks(parallel.Worth(r.workers, time), len(of), 1024, func(_, from, to int) {
			r.someScores(g, w, of[from:to])
		})
	}
}

func (r *rows[T]) someScores(g, w []float64, of []int) {
	if r.sparse == nil {
		for _, i := range of {
			g[i] = vec.Dot(r.wide.Row(i), w)
		}
		return
	}
	for _, i := range of {
		columns, values := r.sparseRow(i)
		g[i] = unchecked.SparseDot64(columns, values, w)
	}
}

// add adds t x_i to w.
func (r *rows[T]) add(w []float64, i int, t float64) {
	if r.sparse != nil {
		columns, values := r.sparseRow(i)
		unchecked.SparseAxpy64(t, columns, values, w)
		return
	}
	vec.Axpy(t, r.row(0, i), w)
}

// difference returns the difference of the scores of examples j and i.
func (r *rows[T]) difference(w []float64, i, j int) float64 {
	if r.sparse != nil {
		columns, values := r.sparseRow(j)
		score := unchecked.SparseDot64(columns, values, w)
		columns, values = r.sparseRow(i)
		return score - unchecked.SparseDot64(columns, values, w)
	}
	return vec.Dot(r.row(1, j), w) - vec.Dot(r.row(0, i), w)
}

// distance returns |x_i - x_j|².
func (r *rows[T]) distance(i, j int) float64 {
	if r.sparse == nil {
		return vec.SquaredDistance(r.row(0, i), r.row(1, j))
	}
	zeros := r.room[0]
	columns, values := r.sparseRow(i)
	for k, c := range columns {
		zeros[c] = float64(values[k])
	}
	others, values := r.sparseRow(j)
	product := unchecked.SparseDot64(others, values, zeros)
	for _, c := range columns {
		zeros[c] = 0
	}
	return r.norms[i] + r.norms[j] - 2*product
}

// move adds t (x_i - x_j) to w.
func (r *rows[T]) move(w []float64, i, j int, t float64) {
	if r.sparse != nil {
		r.add(w, i, t)
		r.add(w, j, -t)
		return
	}
	vec.Axpy(t, r.row(0, i), w)
	vec.Axpy(-t, r.row(1, j), w)
}
