package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Multiply sets dst = K a for n-by-m matrices, by workers goroutines, 0 for all cores. dst must not overlap a.
//
// Each pair of examples is evaluated once, and the pairs of which neither has a number in a that is not 0 never: O(s (n
// - s/2) (d + m)) for s such examples. Rows of K that are in memory are used, none are kept. Sums are taken in an order
// that depends on the sizes and on which rows of a are 0, not on the number of goroutines: by rounding, a number is off
// by at most (s+8)u Σ|terms|. Where examples are sparse whole rows are computed, O(s n m) besides those.
// Memory: at most 2 n m numbers and 2^16 m, and the examples of 1024 rows three times; of sparse examples, 128 rows.
//
// It panics where sizes do not fit or workers is negative.
func (m *Matrix[T]) Multiply(dst, a vec.Matrix[T], workers int) {
	multiply(m, "Matrix.Multiply", dst, a, workers)
}

// Multiply64 is Multiply with sums in float64 of the same numbers K, which are of type T.
func (m *Matrix[T]) Multiply64(dst, a vec.Matrix[float64], workers int) {
	multiply(m, "Matrix.Multiply64", dst, a, workers)
}

func multiply[T, S vec.Float](m *Matrix[T], function string, dst, a vec.Matrix[S], workers int) {
	if dst.Rows != m.n || a.Rows != m.n || dst.Cols != a.Cols {
		panic(shape.Errorf("kernel: "+function, "dst is %d-by-%d and a %d-by-%d for %d examples",
			dst.Rows, dst.Cols, a.Rows, a.Cols, m.n))
	}
	dst.Check()
	a.Check()
	workers, err := parallel.Cores(workers, m.n)
	if err != nil {
		panic(shape.Errorf("kernel: "+function, "%v", err))
	}
	if a.Rows == 0 || a.Cols == 0 {
		return
	}
	order, count := nonZeroFirst(a)
	whole, examples := m.from().within(order)
	p := product[T, S]{m: whole, examples: examples, count: count, workers: workers}
	p.a, p.sum = vec.NewMatrix[S](count, a.Cols), vec.NewMatrix[S](m.n, a.Cols)
	for q, i := range order[:count] {
		copy(p.a.Row(q), a.Row(i))
	}
	if whole.thin {
		p.byRows()
	} else {
		p.byTiles()
	}
	for q, i := range order {
		copy(dst.Row(i), p.sum.Row(q))
	}
}

// nonZeroFirst returns the places of the rows of a that are not 0, of which there are count, and then of the others,
// each ascending.
func nonZeroFirst[S vec.Float](a vec.Matrix[S]) (order []int, count int) {
	order = make([]int, 0, a.Rows)
	var zero []int
	for i := range a.Rows {
		if core.AnyNonZero(a.Row(i)) {
			order = append(order, i)
		} else {
			zero = append(zero, i)
		}
	}
	return append(order, zero...), len(order)
}

// product is a call of multiply: sum = K a, where the rows of a after the first count are 0 and left out.
type product[T, S vec.Float] struct {
	m        *Matrix[T]
	examples []int
	count    int
	workers  int
	a, sum   vec.Matrix[S]
}
