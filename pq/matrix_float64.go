package pq

import "github.com/dualgap/dualgap/vec"

// rows64 is how many rows are taken through all subspaces at a time, in float64: their results stay in a cache.
const rows64 = 2048

// Scores64 sets dst = X[rows] W in float64, W being d-by-m: for the certificates of solvers. It takes M m additions a
// row, and 2^NBits d m multiplications for each 2048 rows, by the goroutine that calls it. nil stands for all rows.
func (x *Matrix) Scores64(dst, w vec.Matrix[float64], rows []int) {
	n := x.rowsWanted("Matrix.Scores64", rows)
	checkSize("Matrix.Scores64", "W", w, x.q.d, w.Cols)
	checkSize("Matrix.Scores64", "dst", dst, n, w.Cols)
	if x.q.rotation != nil {
		rotated := vec.NewMatrix[float64](w.Rows, w.Cols)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, wide(x.q.Rotation()), w, 0, rotated)
		w = rotated
	}
	table := vec.NewMatrix[float64](x.q.ksub, w.Cols)
	for from := 0; from < n; from += rows64 {
		part := dst.Slice(from, min(from+rows64, n), 0, w.Cols)
		for i := range part.Rows {
			clear(part.Row(i))
		}
		for j := range x.q.m {
			low, high := x.q.Subspace(j)
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1, wide(x.q.Centroids(j)), w.Slice(low, high, 0, w.Cols), 0, table)
			for i := range part.Rows {
				vec.Axpy64(1, table.Row(x.code(rows, from+i, j)), part.Row(i))
			}
		}
	}
}

// Accumulate64 adds X[rows]ᵀ A to W in float64, as Accumulate does in float32. Memory: 2^NBits M m numbers.
func (x *Matrix) Accumulate64(w, a vec.Matrix[float64], rows []int) {
	n := x.rowsWanted("Matrix.Accumulate64", rows)
	checkSize("Matrix.Accumulate64", "A", a, n, w.Cols)
	checkSize("Matrix.Accumulate64", "W", w, x.q.d, w.Cols)
	sums := vec.NewMatrix[float64](x.q.m*x.q.ksub, w.Cols) // D_q of each subspace
	for from := 0; from < n; from += rows64 {
		for j := range x.q.m {
			d := sums.Slice(j*x.q.ksub, (j+1)*x.q.ksub, 0, w.Cols)
			for i := from; i < min(from+rows64, n); i++ {
				vec.Axpy64(1, a.Row(i), d.Row(x.code(rows, i, j)))
			}
		}
	}
	to := w
	if x.q.rotation != nil {
		to = vec.NewMatrix[float64](w.Rows, w.Cols)
	}
	for j := range x.q.m {
		low, high := x.q.Subspace(j)
		d := sums.Slice(j*x.q.ksub, (j+1)*x.q.ksub, 0, w.Cols)
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, wide(x.q.Centroids(j)), d, 1, to.Slice(low, high, 0, w.Cols))
	}
	if x.q.rotation != nil {
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, wide(x.q.Rotation()), to, 1, w)
	}
}

// code is the code of row rows[i], or i where rows is nil, in subspace j.
func (x *Matrix) code(rows []int, i, j int) int {
	if rows != nil {
		i = rows[i]
	}
	return int(x.blocks[x.at(i, j)])
}

func wide(a vec.Matrix[float32]) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		vec.Convert(b.Row(i), a.Row(i))
	}
	return b
}
