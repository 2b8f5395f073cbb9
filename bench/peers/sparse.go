package main

import "github.com/dualgap/dualgap/vec"

// sparseRows is the number of rows of A, or of elements of y, that a sparse vector leads to.
const sparseRows = 10000

// placeSparse lays out a sparse vector of c.N elements, x with places idx, and what it meets: y of sparseRows elements, or, where
// the case says M, a matrix A of so many columns and y of M elements.
func (p *operands[T]) placeSparse(c Case, shift int) {
	p.x, p.idx = aligned[T](c.N, shift), make([]int32, c.N)
	for k := range p.idx {
		p.idx[k] = int32(k*(sparseRows/c.N) + 7*k%5)
	}
	if c.M == 0 {
		p.y = aligned[T](sparseRows, shift)
		return
	}
	p.y, p.a = aligned[T](c.M, shift), vec.MatrixOf(sparseRows, c.M, aligned[T](sparseRows*c.M, shift))
}

// sparsePlainly computes a sparse kernel by its definition.
func (p *operands[T]) sparsePlainly() {
	if p.kernel == "SparseGemvT" {
		clear(p.y)
	}
	for k, i := range p.idx {
		switch v := p.x[k]; p.kernel {
		case "SparseDot":
			p.out += v * p.y[i]
		case "SparseAxpy":
			p.y[i] += p.alpha * v
		case "SparseGemvT":
			for j, a := range p.a.Row(int(i)) {
				p.y[j] += v * a
			}
		case "SparseGer":
			for j := range p.y {
				p.a.Row(int(i))[j] += p.alpha * v * p.y[j]
			}
		}
	}
}
