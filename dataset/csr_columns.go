package dataset

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/columns"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// CSRColumns is a CSR and a transposed copy of it, by columns (CSC), for passes over all examples: each row of Xᵀ A is
// written once, which pays from some 4 outputs on, and products of few examples with all of them look at shared
// features only. It is a design.Matrix as CSR is. Scores, and what is asked of chosen examples, go by rows as
// before.
type CSRColumns[T vec.Float] struct {
	*CSR[T]
	columns *columns.Columns[T]
}

// WithColumns returns a with a transposed copy; a must not change from then on. It is an error if a is not sound, as
// Validate says, or has more than 2^31-1 rows. O(n + d + nnz). Memory: 4 bytes and a value for each stored number, and
// 20 bytes for each column that has any, at most.
func (a *CSR[T]) WithColumns() (*CSRColumns[T], error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	c, err := columns.New(a.Rows, a.Cols, a.Row)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return &CSRColumns[T]{a, c}, nil
}

// manyOutputs is how many make AccumulateFeatures faster than rows of X one after the other.
const manyOutputs = 4

// Accumulate adds X[rows]ᵀ A to W: A is len(rows)-by-m, W is d-by-m. For all rows and 4 outputs or more it goes by
// columns. O(len(rows) + nnz(rows) m).
func (a *CSRColumns[T]) Accumulate(w, coef vec.Matrix[T], rows []int) {
	if rows != nil || w.Cols < manyOutputs {
		a.CSR.Accumulate(w, coef, rows)
		return
	}
	a.AccumulateFeatures(w, coef, 0, a.Cols)
}

// AccumulateFeatures adds rows from, ..., to-1 of Xᵀ A to the same rows of W: A is n-by-m, W is d-by-m. Other rows of W
// are not touched, so that several goroutines may share the features. A row has the same bits with whatever others it
// is computed. O(m) for each number of these features.
func (a *CSRColumns[T]) AccumulateFeatures(w, coef vec.Matrix[T], from, to int) {
	mustBe("CSRColumns.AccumulateFeatures", "W", &w, a.Cols, w.Cols)
	mustBe("CSRColumns.AccumulateFeatures", "A", &coef, a.Rows, w.Cols)
	if from < 0 || to < from || a.Cols < to {
		panic(shape.Errorf("dataset: CSRColumns.AccumulateFeatures", "features [%d, %d) of %d", from, to, a.Cols))
	}
	a.columns.Accumulate(w.Data, w.Stride, coef.Data, coef.Stride, w.Cols, from, to)
}

// Gram sets dst[i, j] to the inner product of the examples rows[i] and cols[j]. With all examples, cols = nil, it goes
// by columns: an example then costs n and the numbers that share a feature with it.
func (a *CSRColumns[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	if cols != nil {
		a.CSR.Gram(dst, rows, cols)
		return
	}
	mustBe("CSRColumns.Gram", "dst", &dst, count(rows, a.Rows), a.Rows)
	for p := range dst.Rows {
		idx, val := a.Row(at(rows, p))
		clear(dst.Row(p))
		a.columns.AddProducts(dst.Row(p), idx, val)
	}
}
