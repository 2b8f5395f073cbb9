package solvers

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// wideSparse is the wrapper of Float64 for sparse rows.
type wideSparse[T vec.Float] struct{ x SparseRows[T] }

func (f *wideSparse[T]) Dims() (n, d int) { return f.x.Dims() }

func (f *wideSparse[T]) SquaredNorms(dst []float64) {
	if n, _ := f.Dims(); len(dst) != n {
		panic(fmt.Sprintf("solvers: %d numbers for the squared norms of %d examples", len(dst), n))
	}
	for i := range dst {
		dst[i] = f.dot(i, i)
	}
}

func (f *wideSparse[T]) Gather(rows []int, dst vec.Matrix[float64]) {
	n, d := f.Dims()
	mustBe("dst", &dst, count(rows, n), d)
	for p := range dst.Rows {
		to := dst.Row(p)
		clear(to)
		columns, values := f.x.Row(at(rows, p))
		for k, j := range columns {
			to[j] = float64(values[k])
		}
	}
}

func (f *wideSparse[T]) Scores(rows []int, w, dst vec.Matrix[float64]) {
	n, d := f.Dims()
	mustBe("W", &w, d, w.Cols)
	mustBe("dst", &dst, count(rows, n), w.Cols)
	if w.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		s := dst.Row(p)
		clear(s)
		columns, values := f.x.Row(at(rows, p))
		for k, j := range columns {
			vec.Axpy(float64(values[k]), w.Row(int(j)), s)
		}
	}
}

func (f *wideSparse[T]) Accumulate(rows []int, a, w vec.Matrix[float64]) {
	n, d := f.Dims()
	mustBe("W", &w, d, w.Cols)
	mustBe("A", &a, count(rows, n), w.Cols)
	if w.Cols == 0 {
		return
	}
	for p := range a.Rows {
		columns, values := f.x.Row(at(rows, p))
		for k, j := range columns {
			vec.Axpy(float64(values[k]), a.Row(p), w.Row(int(j)))
		}
	}
}

func (f *wideSparse[T]) Gram(rows, cols []int, dst vec.Matrix[float64]) {
	n, _ := f.Dims()
	mustBe("dst", &dst, count(rows, n), count(cols, n))
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

// dot merges the columns of two rows.
func (f *wideSparse[T]) dot(i, j int) (s float64) {
	columns, values := f.x.Row(i)
	columns2, values2 := f.x.Row(j)
	for k, l := 0, 0; k < len(columns) && l < len(columns2); {
		switch c, c2 := columns[k], columns2[l]; {
		case c < c2:
			k++
		case c > c2:
			l++
		default:
			s += float64(values[k]) * float64(values2[l])
			k++
			l++
		}
	}
	return s
}
