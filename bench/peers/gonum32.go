package main

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

var gonumBLAS gonum.Implementation

// gonum32 calls gonum one by one, from Go. For float32 it has no sum, and a squared distance only by way of copy, axpy, dot.
var gonum32 = map[string]loop[float32]{
	"Dot": func(p *operands[float32], iters int) {
		for range iters {
			p.out = gonumBLAS.Sdot(len(p.x), p.x, 1, p.y, 1)
		}
	},
	"Axpy": func(p *operands[float32], iters int) {
		for range iters {
			gonumBLAS.Saxpy(len(p.x), p.alpha, p.x, 1, p.y, 1)
		}
	},
	"SquaredDistance": func(p *operands[float32], iters int) {
		for range iters {
			gonumBLAS.Scopy(len(p.x), p.x, 1, p.tmp, 1)
			gonumBLAS.Saxpy(len(p.x), -1, p.y, 1, p.tmp, 1)
			p.out = gonumBLAS.Sdot(len(p.x), p.tmp, 1, p.tmp, 1)
		}
	},
	"SquaredNorm": func(p *operands[float32], iters int) {
		for range iters {
			p.out = gonumBLAS.Sdot(len(p.x), p.x, 1, p.x, 1)
		}
	},
	"AbsSum": func(p *operands[float32], iters int) {
		for range iters {
			p.out = gonumBLAS.Sasum(len(p.x), p.x, 1)
		}
	},
	"Scale": func(p *operands[float32], iters int) {
		for range iters {
			gonumBLAS.Sscal(len(p.x), p.alpha, p.x, 1)
		}
	},
	"Ger": func(p *operands[float32], iters int) {
		for range iters {
			gonumBLAS.Sger(p.a.Rows, p.a.Cols, p.alpha, p.x, 1, p.y, 1, p.a.Data, p.a.Stride)
		}
	},
	"Gemv": func(p *operands[float32], iters int) {
		for range iters {
			gonumBLAS.Sgemv(blas.NoTrans, p.a.Rows, p.a.Cols, p.alpha, p.a.Data, p.a.Stride, p.x, 1, 0, p.y, 1)
		}
	},
	"GemvT": func(p *operands[float32], iters int) {
		for range iters {
			gonumBLAS.Sgemv(blas.Trans, p.a.Rows, p.a.Cols, p.alpha, p.a.Data, p.a.Stride, p.x, 1, 0, p.y, 1)
		}
	},
}
