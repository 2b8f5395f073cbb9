package pq

import "github.com/dualgap/dualgap/vec"

// gatherRows rows are decoded at a time where they are only needed for a moment.
const gatherRows = 64

// tableRows is the number of rows from which on tables pay: they cost as much as the product of 2^NBits rows.
func (x *Matrix) tableRows() int { return 2 * x.q.ksub }

// Gather sets dst = X[rows], the decoded rows, as many as are asked for by d. It costs d copies a row, and with a
// rotation d² multiplications.
func (x *Matrix) Gather(dst vec.Matrix[float32], rows []int) {
	n := x.rowsWanted("Matrix.Gather", rows)
	checkSize("Matrix.Gather", "dst", dst, n, x.q.d)
	if x.q.rotation == nil {
		x.decode(rows, 0, dst)
		return
	}
	s := x.scratch()
	defer x.scratches.put(s)
	for from := 0; from < n; from += gatherRows {
		to := min(from+gatherRows, n)
		y := s.rotatedRows(to-from, x.q.d)
		x.decode(part(rows, from, to), from, y)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, y, x.q.Rotation(), 0, dst.Slice(from, to, 0, x.q.d)) // x̂ᵀ = ŷᵀ R
	}
}

// decode sets the rows of dst to the centroids of the given rows, or of those beginning at from when rows is nil.
func (x *Matrix) decode(rows []int, from int, dst vec.Matrix[float32]) {
	q := x.q
	for k := range dst.Rows {
		i := from + k
		if rows != nil {
			i = rows[k]
		}
		row, place := dst.Row(k), x.at(i, 0)
		for j := range q.m {
			low, high := q.offset[j], q.offset[j+1]
			c := q.ksub*low + int(x.blocks[place+j*256])*(high-low)
			copy(row[low:high], q.centroids[c:c+high-low])
		}
	}
}

// part is rows[from:to], or nil for nil.
func part(rows []int, from, to int) []int {
	if rows == nil {
		return nil
	}
	return rows[from:to]
}

// Gram sets dst[i, j] = <x̂_rows[i], x̂_cols[j]>, by decoding blocks of both; dst is as large as rows by cols are many.
func (x *Matrix) Gram(dst vec.Matrix[float32], rows, cols []int) {
	n, m := x.rowsWanted("Matrix.Gram", rows), x.rowsWanted("Matrix.Gram", cols)
	checkSize("Matrix.Gram", "dst", dst, n, m)
	s, t := x.scratch(), x.scratch()
	defer x.scratches.put(s)
	defer x.scratches.put(t)
	for i := 0; i < n; i += gatherRows {
		i2 := min(i+gatherRows, n)
		a := s.matrix(i2-i, x.q.d)
		x.gatherRange(rows, i, a)
		for j := 0; j < m; j += gatherRows {
			j2 := min(j+gatherRows, m)
			b := t.matrix(j2-j, x.q.d)
			x.gatherRange(cols, j, b)
			vec.Gemm(vec.NoTrans, vec.Transposed, 1, a, b, 0, dst.Slice(i, i2, j, j2))
		}
	}
}

// gatherRange gathers as many rows as dst has, from the given position in rows on.
func (x *Matrix) gatherRange(rows []int, from int, dst vec.Matrix[float32]) {
	if rows != nil {
		x.Gather(dst, rows[from:from+dst.Rows])
		return
	}
	s := x.scratch()
	defer x.scratches.put(s)
	x.Gather(dst, s.rowsOf(from, from+dst.Rows))
}
