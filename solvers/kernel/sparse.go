package kernel

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// sparseRow is the columns, ascending, and the values of an example.
type sparseRow[T vec.Float] struct {
	columns []int32
	values  []T
}

// keep makes the numbers of x that are not 0 the row.
func (r *sparseRow[T]) keep(x []T) {
	r.columns, r.values = r.columns[:0], r.values[:0]
	for j, v := range x {
		if v != 0 {
			r.columns, r.values = append(r.columns, int32(j)), append(r.values, v)
		}
	}
}

// squaredDistance is |r - z|², number by number.
func (r sparseRow[T]) squaredDistance(z sparseRow[T]) (sum T) {
	i, j := 0, 0
	for i < len(r.columns) || j < len(z.columns) {
		var v T
		switch {
		case j == len(z.columns) || i < len(r.columns) && r.columns[i] < z.columns[j]:
			v = r.values[i]
			i++
		case i == len(r.columns) || z.columns[j] < r.columns[i]:
			v = z.values[j]
			j++
		default:
			v = r.values[i] - z.values[j]
			i, j = i+1, j+1
		}
		sum += v * v
	}
	return sum
}

// sparseRows are examples one after another: the numbers of row i are at ptr[i] to ptr[i+1].
type sparseRows[T vec.Float] struct {
	ptr     []int
	columns []int32
	values  []T
}

func (x *sparseRows[T]) len() int { return len(x.ptr) - 1 }

func (x *sparseRows[T]) row(i int) sparseRow[T] {
	p, q := x.ptr[i], x.ptr[i+1]
	return sparseRow[T]{x.columns[p:q], x.values[p:q]}
}

// check returns an error unless these are n examples of d features: pointers and columns ascend, and numbers are
// finite.
func (x *sparseRows[T]) check(n, d int) error {
	if len(x.ptr) != n+1 || x.ptr[0] != 0 || x.ptr[n] != len(x.values) || len(x.columns) != len(x.values) {
		return fmt.Errorf("%d pointers, %d columns and %d numbers of %d sparse rows",
			len(x.ptr), len(x.columns), len(x.values), n)
	}
	for i := range n {
		if x.ptr[i+1] < x.ptr[i] || x.ptr[i+1] > len(x.values) {
			return fmt.Errorf("sparse row %d runs from %d to %d", i, x.ptr[i], x.ptr[i+1])
		}
		r := x.row(i)
		for k, j := range r.columns {
			if j < 0 || int(j) >= d || k > 0 && j <= r.columns[k-1] {
				return fmt.Errorf("column %d at place %d of sparse row %d, of %d", j, k, i, d)
			}
		}
		if err := core.CheckFinite("number", i, r.values); err != nil {
			return err
		}
	}
	return nil
}

// copyRows returns a copy of the examples rows of x.
func copyRows[T vec.Float](x design.Matrix[T], rows []int) *sparseRows[T] {
	c := &sparseRows[T]{ptr: make([]int, 1, len(rows)+1)}
	each(x, rows, &core.Scratch[T]{}, func(_ int, r sparseRow[T]) {
		c.columns, c.values = append(c.columns, r.columns...), append(c.values, r.values...)
		c.ptr = append(c.ptr, len(c.values))
	})
	c.columns, c.values = slices.Clip(c.columns), slices.Clip(c.values)
	return c
}

// each calls do with the examples rows of x, one after the other. It gathers them one by one where x does not give
// sparse rows.
func each[T vec.Float](x design.Matrix[T], rows []int, s *core.Scratch[T], do func(p int, r sparseRow[T])) {
	if x, ok := x.(design.SparseRows[T]); ok {
		for p, i := range rows {
			columns, values := x.Row(i)
			do(p, sparseRow[T]{columns, values})
		}
		return
	}
	_, d := x.Dims()
	s.X = core.AtLeast(s.X, 1, d)
	for p := range rows {
		x.Gather(s.X.Slice(0, 1, 0, d), rows[p:p+1])
		r := sparseRow[T]{s.Columns, s.Numbers}
		r.keep(s.X.Row(0)[:d])
		s.Columns, s.Numbers = r.columns, r.values
		do(p, r)
	}
}
