package design

import "github.com/dualgap/dualgap/vec"

// sparse is a Matrix of type U over sparse rows of type T, which it converts where the types differ.
type sparse[T, U vec.Float] struct{ x rows[T] }

// rows is what makes a SparseRows.
type rows[T vec.Float] interface {
	Dims() (n, d int)
	Row(i int) (columns []int32, values []T)
}

func (f *sparse[T, U]) Dims() (n, d int) { return f.x.Dims() }

func (f *sparse[T, U]) Row(i int) (columns []int32, values []T) { return f.x.Row(i) }

// Packed returns what the rows' own Packed does, if they have one.
func (f *sparse[T, U]) Packed() (ptr []int, columns []int32, values []T) {
	if x, ok := f.x.(packed[T]); ok {
		return x.Packed()
	}
	return nil, nil, nil
}

func (f *sparse[T, U]) SquaredNorms(dst []U) {
	n, _ := f.Dims()
	mustHold(dst, n)
	for i := range dst {
		_, values := f.x.Row(i)
		sum := 0.0
		for _, v := range values {
			sum += float64(v) * float64(v)
		}
		dst[i] = U(sum)
	}
}

func (f *sparse[T, U]) Gather(dst vec.Matrix[U], rows []int) {
	n, d := f.Dims()
	mustBe("Gather", "dst", &dst, count(rows, n), d)
	for p := range dst.Rows {
		to := dst.Row(p)
		clear(to)
		columns, values := f.x.Row(at(rows, p))
		for k, j := range columns {
			to[j] = U(values[k])
		}
	}
}

func (f *sparse[T, U]) Scores(dst, w vec.Matrix[U], rows []int) {
	n, d := f.Dims()
	mustBe("Scores", "W", &w, d, w.Cols)
	mustBe("Scores", "dst", &dst, count(rows, n), w.Cols)
	switch {
	case w.Cols == 0:
		return
	case w.Stride == 1:
		for p := range dst.Rows {
			columns, values := f.x.Row(at(rows, p))
			dst.Data[p*dst.Stride] = oneScore(columns, values, w.Data[:w.Rows])
		}
		return
	}
	var buffer [piece]U
	for p := range dst.Rows {
		s := dst.Row(p)
		beta := U(0)
		columns, values := f.x.Row(at(rows, p))
		for first := true; first || len(columns) > 0; first = false {
			some := converted(values, &buffer)
			vec.SparseGemvT(1, w, columns[:len(some)], some, beta, s)
			columns, values, beta = columns[len(some):], values[len(some):], 1
		}
	}
}

func (f *sparse[T, U]) Accumulate(w, a vec.Matrix[U], rows []int) {
	n, d := f.Dims()
	mustBe("Accumulate", "W", &w, d, w.Cols)
	mustBe("Accumulate", "A", &a, count(rows, n), w.Cols)
	switch {
	case w.Cols == 0:
		return
	case w.Stride == 1:
		for p := range a.Rows {
			columns, values := f.x.Row(at(rows, p))
			oneMove(a.Data[p*a.Stride], columns, values, w.Data[:w.Rows])
		}
		return
	}
	var buffer [piece]U
	for p := range a.Rows {
		columns, values := f.x.Row(at(rows, p))
		for len(columns) > 0 {
			some := converted(values, &buffer)
			vec.SparseGer(1, columns[:len(some)], some, a.Row(p), w)
			columns, values = columns[len(some):], values[len(some):]
		}
	}
}

func (f *sparse[T, U]) Gram(dst vec.Matrix[U], rows, cols []int) {
	n, _ := f.Dims()
	mustBe("Gram", "dst", &dst, count(rows, n), count(cols, n))
	if dst.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		to := dst.Row(p)
		for q := range to {
			to[q] = f.dot(at(rows, p), at(cols, q))
		}
	}
}

// piece is how many values are converted at a time.
const piece = 128

// converted returns values as numbers of type U: themselves, or some of them in buffer.
func converted[T, U vec.Float](values []T, buffer *[piece]U) []U {
	if same, ok := any(values).([]U); ok {
		return same
	}
	some := buffer[:min(len(values), piece)]
	vec.Convert(some, values[:len(some)])
	return some
}

// dot merges the columns of two rows.
func (f *sparse[T, U]) dot(i, j int) (s U) {
	columns, values := f.x.Row(i)
	columns2, values2 := f.x.Row(j)
	for k, l := 0, 0; k < len(columns) && l < len(columns2); {
		switch c, c2 := columns[k], columns2[l]; {
		case c < c2:
			k++
		case c > c2:
			l++
		default:
			s += U(values[k]) * U(values2[l])
			k++
			l++
		}
	}
	return s
}
