package cases

import (
	"math/rand/v2"

	"github.com/dualgap/dualgap/vec"
)

// reach is the number of rows of A, or of elements of y, that a sparse vector leads to.
const reach = 10000

// sparseRows take a sparse vector of N elements, x at the places idx, and what it meets: y of reach elements, or a
// matrix A of M columns, with y of M elements.
func sparseRows[T vec.Float]() []Kernel[T] {
	vectors, matrices := lengths(74, 1000), [][]int{{10, 74}, {26, 74}, {101, 74}}
	return []Kernel[T]{
		{
			Name: "SparseDot", peers: vectors, shape: sparseVector, fill: spread[T], costs: costs{moved: n2, places: n1,
				flops: n2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					p.Out = vec.SparseDot(p.Idx, p.X, p.Y)
				}
			},
			Plain: each(func(p *Operands[T]) {
				p.Out = 0
				for k, i := range p.Idx {
					p.Out += p.X[k] * p.Y[i]
				}
			}),
		},
		{
			Name: "SparseAxpy", peers: vectors, shape: sparseVector, fill: spread[T],
			costs: costs{moved: n2, places: n1, flops: n2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.SparseAxpy(p.Alpha, p.Idx, p.X, p.Y)
				}
			},
			Plain: each(func(p *Operands[T]) {
				for k, i := range p.Idx {
					p.Y[i] += p.Alpha * p.X[k]
				}
			}),
		},
		{
			Name: "SparseGemvT", peers: matrices, shape: sparseMatrix, fill: spread[T],
			costs: costs{moved: rows, places: n1, flops: mn2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.SparseGemvT(1, p.A, p.Idx, p.X, 0, p.Y)
				}
			},
			Plain: each(func(p *Operands[T]) {
				clear(p.Y)
				for k, i := range p.Idx {
					axpy(p.X[k], p.A.Row(int(i)), p.Y)
				}
			}),
		},
		{
			Name: "SparseGer", peers: matrices, shape: sparseMatrix, fill: spread[T],
			costs: costs{moved: rows, places: n1, flops: mn2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.SparseGer(p.Alpha, p.Idx, p.X, p.Y, p.A)
				}
			},
			Plain: each(func(p *Operands[T]) {
				for k, i := range p.Idx {
					axpy(p.Alpha*p.X[k], p.Y, p.A.Row(int(i)))
				}
			}),
		},
	}
}

// spread sets the places, ascending, all over the rows.
func spread[T vec.Float](p *Operands[T], _ *rand.Rand) {
	for k := range p.Idx {
		p.Idx[k] = int32(k*(reach/len(p.Idx)) + 7*k%5)
	}
}
