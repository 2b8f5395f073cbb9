package pq

import "github.com/dualgap/dualgap/vec"

// rotate writes R x of each row x to dst and returns it as a matrix. A row's bits do not depend on the number of rows.
func (q *Quantizer) rotate(dst []float32, x vec.Matrix[float32]) vec.Matrix[float32] {
	y := vec.MatrixOf(x.Rows, q.d, dst[:x.Rows*q.d])
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, x, q.Rotation(), 0, y)
	return y
}

// rotateBack writes Rᵀ y to x.
func (q *Quantizer) rotateBack(x, y []float32) { vec.GemvT(1, q.Rotation(), y, 0, x) }
