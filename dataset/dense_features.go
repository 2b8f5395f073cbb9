package dataset

import "github.com/dualgap/dualgap/vec"

// Dims returns the number of examples and of features.
func (a *Dense[T]) Dims() (n, d int) { return a.Rows, a.Cols }

// SquaredNorms sets dst[i] = |x_i|². O(n d).
func (a *Dense[T]) SquaredNorms(dst []T) {
	mustHold(dst, a.Rows)
	for i := range dst {
		dst[i] = vec.SquaredNorm(a.Row(i))
	}
}

// Gather sets dst = X[rows]. O(len(rows) d).
func (a *Dense[T]) Gather(rows []int, dst vec.Matrix[T]) {
	mustBe("dst", &dst, count(rows, a.Rows), a.Cols)
	if a.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		copy(dst.Row(p), a.Row(at(rows, p)))
	}
}

// Scores sets dst = X[rows] W. O(len(rows) d m).
func (a *Dense[T]) Scores(rows []int, w, dst vec.Matrix[T]) {
	mustBe("W", &w, a.Cols, w.Cols)
	mustBe("dst", &dst, count(rows, a.Rows), w.Cols)
	if w.Cols == 0 {
		return
	}
	if w.Cols == 1 && w.Stride == 1 {
		for p := range dst.Rows {
			dst.Row(p)[0] = vec.Dot(a.Row(at(rows, p)), w.Data[:w.Rows])
		}
		return
	}
	if dst.Rows == 1 || w.Rows == 0 {
		for p := range dst.Rows {
			vec.GemvT(1, w, a.Row(at(rows, p)), 0, dst.Row(p))
		}
		return
	}
	step := tile[T](w.Cols)
	for j := 0; j < w.Rows; j += step {
		end, beta := min(j+step, w.Rows), T(1)
		if j == 0 {
			beta = 0
		}
		part := w.Slice(j, end, 0, w.Cols)
		for p := range dst.Rows {
			vec.GemvT(1, part, a.Row(at(rows, p))[j:end], beta, dst.Row(p))
		}
	}
}

// Accumulate adds X[rows]ᵀ A to W. O(len(rows) d m).
func (a *Dense[T]) Accumulate(rows []int, coef, w vec.Matrix[T]) {
	mustBe("W", &w, a.Cols, w.Cols)
	mustBe("A", &coef, count(rows, a.Rows), w.Cols)
	if w.Cols == 0 {
		return
	}
	if w.Cols == 1 && w.Stride == 1 {
		for p := range coef.Rows {
			vec.Axpy(coef.Row(p)[0], a.Row(at(rows, p)), w.Data[:w.Rows])
		}
		return
	}
	step := tile[T](w.Cols)
	if coef.Rows == 1 {
		step = max(1, w.Rows)
	}
	for j := 0; j < w.Rows; j += step {
		end := min(j+step, w.Rows)
		part := w.Slice(j, end, 0, w.Cols)
		for p := range coef.Rows {
			vec.Ger(1, a.Row(at(rows, p))[j:end], coef.Row(p), part)
		}
	}
}

// Gram sets dst[i, j] to the inner product of the examples rows[i] and cols[j]. O(len(rows) len(cols) d).
func (a *Dense[T]) Gram(rows, cols []int, dst vec.Matrix[T]) {
	mustBe("dst", &dst, count(rows, a.Rows), count(cols, a.Rows))
	if dst.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		x, to := a.Row(at(rows, p)), dst.Row(p)
		for q := range to {
			to[q] = vec.Dot(x, a.Row(at(cols, q)))
		}
	}
}
