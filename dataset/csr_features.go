package dataset

import "github.com/dualgap/dualgap/vec"

// Dims returns the number of examples and of features.
func (a *CSR[T]) Dims() (n, d int) { return a.Rows, a.Cols }

// SquaredNorms sets dst[i] = |x_i|². O(n + nnz).
func (a *CSR[T]) SquaredNorms(dst []T) {
	mustHold("CSR.SquaredNorms", dst, a.Rows)
	for i := range dst {
		_, val := a.Row(i)
		dst[i] = vec.SquaredNorm(val)
	}
}

// Gather sets dst, len(rows)-by-d, to X[rows], dense. O(len(rows) d).
func (a *CSR[T]) Gather(dst vec.Matrix[T], rows []int) {
	mustBe("CSR.Gather", "dst", &dst, count(rows, a.Rows), a.Cols)
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

// Scores sets dst = X[rows] W: dst is len(rows)-by-m, W is d-by-m. O(len(rows) + nnz(rows) m).
func (a *CSR[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	mustBe("CSR.Scores", "W", &w, a.Cols, w.Cols)
	mustBe("CSR.Scores", "dst", &dst, count(rows, a.Rows), w.Cols)
	if w.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		idx, val := a.Row(at(rows, p))
		if w.Cols == 1 && w.Stride == 1 {
			dst.Row(p)[0] = vec.SparseDot(idx, val, w.Data[:w.Rows])
		} else {
			vec.SparseGemvT(1, w, idx, val, 0, dst.Row(p))
		}
	}
}

// Accumulate adds X[rows]ᵀ A to W: A is len(rows)-by-m, W is d-by-m. O(len(rows) + nnz(rows) m).
func (a *CSR[T]) Accumulate(w, coef vec.Matrix[T], rows []int) {
	mustBe("CSR.Accumulate", "W", &w, a.Cols, w.Cols)
	mustBe("CSR.Accumulate", "A", &coef, count(rows, a.Rows), w.Cols)
	if w.Cols == 0 {
		return
	}
	for p := range coef.Rows {
		idx, val := a.Row(at(rows, p))
		c := coef.Row(p)
		if w.Cols == 1 && w.Stride == 1 {
			vec.SparseAxpy(c[0], idx, val, w.Data[:w.Rows])
		} else {
			vec.SparseGer(1, idx, val, c, w)
		}
	}
}

// Gram sets dst[i, j] to the inner product of the examples rows[i] and cols[j]. It writes each of rows into a dense
// vector of d numbers, with which the rows cols are multiplied. O(nnz(rows) + len(rows) nnz(cols)), and d numbers of
// memory.
func (a *CSR[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	mustBe("CSR.Gram", "dst", &dst, count(rows, a.Rows), count(cols, a.Rows))
	if dst.Cols == 0 {
		return
	}
	room := zeros[T](a.Cols)
	spread := (*room)[:a.Cols]
	for p := range dst.Rows {
		idx, val := a.Row(at(rows, p))
		vec.SparseAxpy(1, idx, val, spread)
		to := dst.Row(p)
		for q := range to {
			idx2, val2 := a.Row(at(cols, q))
			to[q] = vec.SparseDot(idx2, val2, spread)
		}
		for _, j := range idx {
			spread[j] = 0
		}
	}
	giveBack(room) // not after a panic: it would not be zero
}
