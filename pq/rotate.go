package pq

import "github.com/dualgap/dualgap/vec"

// rotate writes R x of each row of x to dst and returns it as a matrix.
func (q *Quantizer) rotate(dst []float32, x vec.Matrix[float32]) vec.Matrix[float32] {
	y := vec.MatrixOf(x.Rows, q.d, dst[:x.Rows*q.d])
	for i := range x.Rows {
		vec.Gemv(1, q.Rotation(), x.Row(i), 0, y.Row(i))
	}
	return y
}

// rotateBack writes Rᵀ y to x.
func (q *Quantizer) rotateBack(x, y []float32) { vec.GemvT(1, q.Rotation(), y, 0, x) }
