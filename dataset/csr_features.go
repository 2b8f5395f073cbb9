package dataset

import "github.com/dualgap/dualgap/vec"

// Dims returns the number of examples and of features.
func (a *CSR[T]) Dims() (n, d int) { return a.Rows, a.Cols }

// SquaredNorms sets dst[i] = |x_i|². O(n + nnz).
func (a *CSR[T]) SquaredNorms(dst []T) {
	mustHold(dst, a.Rows)
	for i := range dst {
		_, val := a.Row(i)
		dst[i] = vec.SquaredNorm(val)
	}
}

// Gather sets dst = X[rows], dense. O(len(rows) d).
func (a *CSR[T]) Gather(rows []int, dst vec.Matrix[T]) {
	mustBe("dst", &dst, count(rows, a.Rows), a.Cols)
	if a.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		to := dst.Row(p)
		clear(to)
		idx, val := a.Row(at(rows, p))
		for k, j := range idx {
			to[j] = val[k]
		}
	}
}

// Scores sets dst = X[rows] W. O(len(rows) + nnz m), nnz that of the rows.
func (a *CSR[T]) Scores(rows []int, w, dst vec.Matrix[T]) {
	mustBe("W", &w, a.Cols, w.Cols)
	mustBe("dst", &dst, count(rows, a.Rows), w.Cols)
	if w.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		idx, val := a.Row(at(rows, p))
		s := dst.Row(p)
		if w.Cols == 1 {
			s[0] = 0
			for k, j := range idx {
				s[0] += val[k] * w.Data[int(j)*w.Stride]
			}
			continue
		}
		clear(s)
		for k, j := range idx {
			vec.Axpy(val[k], w.Row(int(j)), s)
		}
	}
}

// Accumulate adds X[rows]ᵀ A to W. O(len(rows) + nnz m), nnz that of the rows.
func (a *CSR[T]) Accumulate(rows []int, coef, w vec.Matrix[T]) {
	mustBe("W", &w, a.Cols, w.Cols)
	mustBe("A", &coef, count(rows, a.Rows), w.Cols)
	if w.Cols == 0 {
		return
	}
	for p := range coef.Rows {
		idx, val := a.Row(at(rows, p))
		c := coef.Row(p)
		if w.Cols == 1 {
			for k, j := range idx {
				w.Data[int(j)*w.Stride] += val[k] * c[0]
			}
			continue
		}
		for k, j := range idx {
			vec.Axpy(val[k], c, w.Row(int(j)))
		}
	}
}

// Gram sets dst[i, j] to the inner product of the examples rows[i] and cols[j], by merging their sorted columns.
// O(len(rows) len(cols)) merges.
func (a *CSR[T]) Gram(rows, cols []int, dst vec.Matrix[T]) {
	mustBe("dst", &dst, count(rows, a.Rows), count(cols, a.Rows))
	if dst.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		i, to := at(rows, p), dst.Row(p)
		for q := range to {
			to[q] = a.dot(i, at(cols, q))
		}
	}
}

func (a *CSR[T]) dot(i, j int) (s T) {
	idx, val := a.Row(i)
	idx2, val2 := a.Row(j)
	for k, l := 0, 0; k < len(idx) && l < len(idx2); {
		switch c, c2 := idx[k], idx2[l]; {
		case c < c2:
			k++
		case c > c2:
			l++
		default:
			s += val[k] * val2[l]
			k++
			l++
		}
	}
	return s
}
