package main

import (
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// A product is C = op(A) op(B), or the lower triangle of A Aᵀ.
type product struct {
	ta, tb  vec.Trans
	half    bool
	pass    bool // over all examples of a dataset.Dense, A: C = A B are their scores, C = Aᵀ B what they add to W
	workers int
}

var products = map[string]product{
	"GemmNN":         {workers: 1},
	"GemmTN":         {workers: 1, ta: true},
	"GemmNT":         {workers: 1, tb: true},
	"GemmTT":         {workers: 1, ta: true, tb: true},
	"GemmTwoWorkers": {workers: 2},
	"Syrk":           {workers: 1, tb: true, half: true},
	"Scores":         {workers: 1, pass: true},
	"Accumulate":     {workers: 1, pass: true, ta: true},
}

func init() {
	for name, q := range products {
		dualgap32[name], dualgap64[name] = ours[float32](q), ours[float64](q)
		openblas32[name], openblas64[name] = openblasProduct32(q), openblasProduct64(q)
		gonum32[name] = func(p *operands[float32], iters int) {
			for range iters {
				if q.half {
					gonumBLAS.Ssyrk(blas.Lower, blas.NoTrans, p.a.Rows, p.a.Cols, 1, p.a.Data, p.a.Stride, 0, p.c.Data, p.c.Stride)
					continue
				}
				m, n, k := q.sizes(p.c.Rows, p.c.Cols, p.a.Rows, p.a.Cols)
				gonumBLAS.Sgemm(gonumTrans(q.ta), gonumTrans(q.tb), m, n, k, 1, p.a.Data, p.a.Stride, p.b.Data, p.b.Stride, 0, p.c.Data, p.c.Stride)
			}
		}
		gonum64[name] = func(p *operands[float64], iters int) {
			for range iters {
				if q.half {
					gonumBLAS.Dsyrk(blas.Lower, blas.NoTrans, p.a.Rows, p.a.Cols, 1, p.a.Data, p.a.Stride, 0, p.c.Data, p.c.Stride)
					continue
				}
				m, n, k := q.sizes(p.c.Rows, p.c.Cols, p.a.Rows, p.a.Cols)
				gonumBLAS.Dgemm(gonumTrans(q.ta), gonumTrans(q.tb), m, n, k, 1, p.a.Data, p.a.Stride, p.b.Data, p.b.Stride, 0, p.c.Data, p.c.Stride)
			}
		}
	}
}

// sizes are those of the product of which C is m by n and A as stored has that many rows and rows.
func (q product) sizes(m, n, rowsA, colsA int) (int, int, int) {
	if q.ta {
		return m, n, rowsA
	}
	return m, n, colsA
}

func gonumTrans(t vec.Trans) blas.Transpose {
	if t {
		return blas.Trans
	}
	return blas.NoTrans
}

// ours calls the functions of package vec.
func ours[T vec.Float](q product) loop[T] {
	return func(p *operands[T], iters int) {
		for range iters {
			switch {
			case q.pass && bool(q.ta):
				clear(p.c.Data)
				(&dataset.Dense[T]{Matrix: p.a}).Accumulate(p.c, p.b, nil)
			case q.pass:
				(&dataset.Dense[T]{Matrix: p.a}).Scores(p.c, p.b, nil)
			case q.half:
				vec.Syrk(vec.Lower, vec.NoTrans, 1, p.a, 0, p.c)
			case q.workers > 1:
				vec.GemmWorkers(q.ta, q.tb, 1, p.a, p.b, 0, p.c, q.workers)
			default:
				vec.Gemm(q.ta, q.tb, 1, p.a, p.b, 0, p.c)
			}
		}
	}
}

// place makes room for a product's operands.
func (p *operands[T]) place(q product, c Case, shift int) {
	matrix := func(t vec.Trans, rows, cols int) vec.Matrix[T] {
		if t {
			rows, cols = cols, rows
		}
		return vec.MatrixOf(rows, cols, aligned[T](rows*cols, shift))
	}
	p.a, p.c = matrix(q.ta, c.M, c.K), matrix(false, c.M, c.N)
	if !q.half {
		p.b = matrix(q.tb, c.K, c.N)
	}
}

func plainProduct[T vec.Float](q product, p *operands[T]) {
	b := p.b
	if q.half {
		b = p.a
	}
	m, n, k := q.sizes(p.c.Rows, p.c.Cols, p.a.Rows, p.a.Cols)
	row := make([]T, n)
	for l := range k {
		for j := range row { // row l of op(B)
			if q.tb {
				row[j] = b.Data[j*b.Stride+l]
			} else {
				row[j] = b.Data[l*b.Stride+j]
			}
		}
		for i := range m {
			at := i*p.a.Stride + l
			if q.ta {
				at = l*p.a.Stride + i
			}
			a := p.a.Data[at]
			to := p.c.Row(i)
			if q.half {
				to = to[:i+1]
			}
			for j := range to {
				to[j] += a * row[j]
			}
		}
	}
}
