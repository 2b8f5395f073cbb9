package design

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// CrossGram sets dst[i, j] to the inner product of row rows[i] of x and row cols[j] of z, whose storages may differ:
// what a linear kernel between training and test examples is. nil stands for all rows, and for all columns. It panics
// where x and z have different numbers of features or dst has another size.
//
// The rows of z are decoded 32 at a time; let z be the smaller side. Memory: 64 d numbers.
func CrossGram[T vec.Float](dst vec.Matrix[T], x Matrix[T], rows []int, z Matrix[T], cols []int) {
	n, d := x.Dims()
	nz, dz := z.Dims()
	n, nz = count(rows, n), count(cols, nz)
	if d != dz || dst.Rows != n || dst.Cols != nz {
		panic(shape.Errorf("design: CrossGram", "%d examples of %d features and %d of %d, for a %d-by-%d matrix",
			n, d, nz, dz, dst.Rows, dst.Cols))
	}
	width := min(32, nz)
	decoded, transposed := vec.NewMatrix[T](width, d), vec.NewMatrix[T](d, width)
	block := make([]int, width)
	for j := 0; j < nz; j += width {
		block := block[:min(width, nz-j)]
		for q := range block {
			block[q] = at(cols, j+q)
		}
		w := transposed.Slice(0, d, 0, len(block))
		z.Gather(decoded.Slice(0, len(block), 0, d), block)
		for q := range block {
			for f, v := range decoded.Row(q) {
				w.Data[f*w.Stride+q] = v
			}
		}
		x.Scores(dst.Slice(0, n, j, j+len(block)), w, rows)
	}
}
