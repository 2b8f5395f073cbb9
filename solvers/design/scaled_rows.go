package design

import "github.com/dualgap/dualgap/vec"

// scaledRows is scaled sparse rows. Their values are multiplied some at a time, on the way to a product.
type scaledRows[T vec.Float] struct {
	*scaled[T]
	rows SparseRows[T]
}

func (f *scaledRows[T]) SquaredNorms(dst []T) {
	mustHold(dst, f.n)
	for i := range dst {
		columns, values := f.rows.Row(i)
		sum := 0.0
		for k, j := range columns {
			v := float64(values[k] * f.factors[j])
			sum += v * v
		}
		dst[i] = T(sum)
	}
}

func (f *scaledRows[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	mustBe("Scores", "W", &w, f.d, w.Cols)
	mustBe("Scores", "dst", &dst, count(rows, f.n), w.Cols)
	if w.Cols == 0 {
		return
	}
	var buffer [piece]T
	for p := range dst.Rows {
		beta := T(0)
		columns, values := f.rows.Row(at(rows, p))
		for first := true; first || len(columns) > 0; first = false {
			some := f.some(&buffer, columns, values)
			vec.SparseGemvT(1, w, columns[:len(some)], some, beta, dst.Row(p))
			columns, values, beta = columns[len(some):], values[len(some):], 1
		}
	}
}

func (f *scaledRows[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	mustBe("Accumulate", "W", &w, f.d, w.Cols)
	mustBe("Accumulate", "A", &a, count(rows, f.n), w.Cols)
	if w.Cols == 0 {
		return
	}
	var buffer [piece]T
	for p := range a.Rows {
		columns, values := f.rows.Row(at(rows, p))
		for len(columns) > 0 {
			some := f.some(&buffer, columns, values)
			vec.SparseGer(1, columns[:len(some)], some, a.Row(p), w)
			columns, values = columns[len(some):], values[len(some):]
		}
	}
}

// some returns the first of the values, scaled, in buffer.
func (f *scaledRows[T]) some(buffer *[piece]T, columns []int32, values []T) []T {
	some := buffer[:min(len(values), piece)]
	for k := range some {
		some[k] = values[k] * f.factors[columns[k]]
	}
	return some
}
