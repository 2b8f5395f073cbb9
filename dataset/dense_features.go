package dataset

import "github.com/dualgap/dualgap/vec"

// Dims returns the number of examples and of features.
func (a *Dense[T]) Dims() (n, d int) { return a.Rows, a.Cols }

// SquaredNorms sets dst[i] = |x_i|². O(n d).
func (a *Dense[T]) SquaredNorms(dst []T) {
	mustHold("Dense.SquaredNorms", dst, a.Rows)
	for i := range dst {
		dst[i] = vec.SquaredNorm(a.Row(i))
	}
}

// Gather sets dst, len(rows)-by-d, to X[rows]. O(len(rows) d).
func (a *Dense[T]) Gather(dst vec.Matrix[T], rows []int) {
	mustBe("Dense.Gather", "dst", &dst, count(rows, a.Rows), a.Cols)
	if a.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		copy(dst.Data[p*dst.Stride:], a.Row(at(rows, p)))
	}
}

// Scores sets dst = X[rows] W: dst is len(rows)-by-m, W is d-by-m. O(len(rows) d m).
func (a *Dense[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	mustBe("Dense.Scores", "W", &w, a.Cols, w.Cols)
	mustBe("Dense.Scores", "dst", &dst, count(rows, a.Rows), w.Cols)
	if w.Cols == 0 {
		return
	}
	if w.Cols == 1 && w.Stride == 1 {
		if part, ok := a.window(rows); ok && dst.Stride == 1 {
			vec.Gemv(1, part, w.Data[:w.Rows], 0, dst.Data[:dst.Rows])
			return
		}
		for p := range dst.Rows {
			dst.Row(p)[0] = vec.Dot(a.Row(at(rows, p)), w.Data[:w.Rows])
		}
		return
	}
	if a.singly(rows, dst.Rows, w.Cols) || w.Rows == 0 {
		for p := range dst.Rows {
			vec.GemvT(1, w, a.Row(at(rows, p)), 0, dst.Row(p))
		}
		return
	}
	a.blocks(rows, func(p int, x vec.Matrix[T]) {
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x, w, 0, dst.Slice(p, p+x.Rows, 0, w.Cols))
	})
}

// Accumulate adds X[rows]ᵀ A to W: A is len(rows)-by-m, W is d-by-m. O(len(rows) d m).
func (a *Dense[T]) Accumulate(w, coef vec.Matrix[T], rows []int) {
	mustBe("Dense.Accumulate", "W", &w, a.Cols, w.Cols)
	mustBe("Dense.Accumulate", "A", &coef, count(rows, a.Rows), w.Cols)
	if w.Cols == 0 {
		return
	}
	if w.Cols == 1 && w.Stride == 1 {
		if part, ok := a.window(rows); ok && coef.Stride == 1 {
			vec.GemvT(1, part, coef.Data[:coef.Rows], 1, w.Data[:w.Rows])
			return
		}
		for p := range coef.Rows {
			vec.Axpy(coef.Row(p)[0], a.Row(at(rows, p)), w.Data[:w.Rows])
		}
		return
	}
	if a.singly(rows, coef.Rows, w.Cols) {
		for p := range coef.Rows {
			vec.Ger(1, a.Row(at(rows, p)), coef.Row(p), w)
		}
		return
	}
	a.blocks(rows, func(p int, x vec.Matrix[T]) {
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, coef.Slice(p, p+x.Rows, 0, w.Cols), 1, w)
	})
}

// Gram sets dst[i, j] to the inner product of the examples rows[i] and cols[j]. O(len(rows) len(cols) d).
func (a *Dense[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	mustBe("Dense.Gram", "dst", &dst, count(rows, a.Rows), count(cols, a.Rows))
	if dst.Cols == 0 {
		return
	}
	if dst.Rows < 4 || dst.Cols < 4 {
		for p := range dst.Rows {
			x, to := a.Row(at(rows, p)), dst.Row(p)
			for q := range to {
				to[q] = vec.Dot(x, a.Row(at(cols, q)))
			}
		}
		return
	}
	a.blocks(rows, func(p int, x vec.Matrix[T]) {
		a.blocks(cols, func(q int, z vec.Matrix[T]) {
			vec.Gemm(vec.NoTrans, vec.Transposed, 1, x, z, 0, dst.Slice(p, p+x.Rows, q, q+z.Rows))
		})
	})
}
