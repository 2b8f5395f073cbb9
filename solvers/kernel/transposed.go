package kernel

import (
	"github.com/dualgap/dualgap/internal/columns"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// transposed are sparse examples and the same numbers feature by feature: the products of an example with all of them
// take what they hold of its own features.
type transposed[T vec.Float] struct {
	row     func(i int) sparseRow[T]
	norms   []T
	columns *columns.Columns[T]
}

func transpose[T vec.Float](n, d int, row func(i int) sparseRow[T], norms []T) (*transposed[T], error) {
	c, err := columns.New(n, d, func(i int) ([]int32, []T) {
		r := row(i)
		return r.columns, r.values
	})
	return &transposed[T]{row, norms, c}, err
}

// rowsOf returns the examples of x, copied where x gives no sparse rows.
func rowsOf[T vec.Float](x design.Matrix[T]) func(i int) sparseRow[T] {
	if s, ok := x.(design.SparseRows[T]); ok {
		return func(i int) sparseRow[T] {
			columns, values := s.Row(i)
			return sparseRow[T]{columns, values}
		}
	}
	n, _ := x.Dims()
	return copyRows(x, core.Some(nil, 0, n)).row
}

// widen returns the same examples in float64. They share everything but the values.
func widen[T vec.Float](x *transposed[T], norms []float64) *transposed[float64] {
	row := func(i int) sparseRow[float64] {
		r := x.row(i)
		values := make([]float64, len(r.values))
		vec.Convert(values, r.values)
		return sparseRow[float64]{r.columns, values}
	}
	return &transposed[float64]{row, norms, columns.Float64(x.columns)}
}

// sparsePairs are an example and all transposed ones.
type sparsePairs[T vec.Float] struct {
	example sparseRow[T]
	norm    T
	z       *transposed[T]
}

func (p sparsePairs[T]) products(dst vec.Matrix[T]) {
	clear(dst.Row(0))
	p.z.columns.AddProducts(dst.Row(0), p.example.columns, p.example.values)
}

func (p sparsePairs[T]) norms(int) (nx T, nz []T) { return p.norm, p.z.norms }

func (p sparsePairs[T]) distance(_, j int) T { return p.example.squaredDistance(p.z.row(j)) }

// computeThin sets dst[q] = K[i, cols[q]], where nil stands for all columns: then, too, the whole row is computed.
func (m *Matrix[T]) computeThin(i int, cols []int, dst []T) {
	p := sparsePairs[T]{m.sparse.row(i), m.norms[i], m.sparse}
	if cols == nil {
		evaluate[T](m.k, p, vec.MatrixOf(1, m.n, dst))
		return
	}
	row := vec.NewMatrix[T](1, m.n)
	evaluate[T](m.k, p, row)
	for q, j := range cols {
		dst[q] = row.Data[j]
	}
}

// thin reports whether examples hold few numbers, from a sample: a product of two costs about as much as one of
// gathered rows by a matrix product where one number of 16 is not 0.
func thin[T vec.Float](x design.Matrix[T]) bool {
	s, ok := x.(design.SparseRows[T])
	if !ok {
		return design.IsSparse(x)
	}
	n, d := x.Dims()
	stored, sample := 0, min(n, 64)
	for p := range sample {
		columns, _ := s.Row(p * (n / sample))
		stored += len(columns)
	}
	return stored <= sample*d/16
}
