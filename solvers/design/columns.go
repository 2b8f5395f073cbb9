package design

import (
	"github.com/dualgap/dualgap/internal/columns"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// WithColumns returns x for solvers that pass over all its examples many times: x itself where it is a [ByFeatures]
// already or its rows are not sparse, else x with a transposed copy of its numbers. It is an error if a row has a
// feature that is not in [0, d), or there are more than 2^31-1 rows or features. O(n + d + nnz).
func WithColumns[T vec.Float](x Matrix[T]) (Matrix[T], error) {
	rows, ok := x.(SparseRows[T])
	if _, is := x.(ByFeatures[T]); is || !ok || inFile(x) {
		return x, nil
	}
	n, d := x.Dims()
	c, err := columns.New(n, d, rows.Row)
	if err != nil {
		return nil, err
	}
	return &sparseColumns[T]{rows, c}, nil
}

// sparseColumns is sparse rows with their transposed copy.
type sparseColumns[T vec.Float] struct {
	SparseRows[T]
	columns *columns.Columns[T]
}

func (f *sparseColumns[T]) AccumulateFeatures(w, a vec.Matrix[T], from, to int) {
	n, d := f.Dims()
	mustBe("AccumulateFeatures", "W", &w, d, w.Cols)
	mustBe("AccumulateFeatures", "A", &a, n, w.Cols)
	if from < 0 || to < from || d < to {
		panic(shape.Errorf("design: AccumulateFeatures", "features [%d, %d) of %d", from, to, d))
	}
	f.columns.Accumulate(w.Data, w.Stride, a.Data, a.Stride, w.Cols, from, to)
}

// A window is one of the rows alone.
func (f *sparseColumns[T]) window(from, to int) Matrix[T] { return Window[T](f.SparseRows, from, to) }

func (f *sparseColumns[T]) widen() Matrix[float64] { return Float64[T](f.SparseRows) }
