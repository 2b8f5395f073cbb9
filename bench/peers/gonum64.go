package main

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
)

// gonum64 is gonum32 in double precision, where package floats has a sum, and a difference in one pass.
var gonum64 = map[string]loop[float64]{
	"Dot": func(p *operands[float64], iters int) {
		for range iters {
			p.out = gonumBLAS.Ddot(len(p.x), p.x, 1, p.y, 1)
		}
	},
	"Axpy": func(p *operands[float64], iters int) {
		for range iters {
			gonumBLAS.Daxpy(len(p.x), p.alpha, p.x, 1, p.y, 1)
		}
	},
	"SquaredDistance": func(p *operands[float64], iters int) {
		for range iters {
			floats.AddScaledTo(p.tmp, p.x, -1, p.y)
			p.out = gonumBLAS.Ddot(len(p.x), p.tmp, 1, p.tmp, 1)
		}
	},
	"SquaredNorm": func(p *operands[float64], iters int) {
		for range iters {
			p.out = gonumBLAS.Ddot(len(p.x), p.x, 1, p.x, 1)
		}
	},
	"Sum": func(p *operands[float64], iters int) {
		for range iters {
			p.out = floats.Sum(p.x)
		}
	},
	"AbsSum": func(p *operands[float64], iters int) {
		for range iters {
			p.out = gonumBLAS.Dasum(len(p.x), p.x, 1)
		}
	},
	"Scale": func(p *operands[float64], iters int) {
		for range iters {
			gonumBLAS.Dscal(len(p.x), p.alpha, p.x, 1)
		}
	},
	"Ger": func(p *operands[float64], iters int) {
		for range iters {
			gonumBLAS.Dger(p.a.Rows, p.a.Cols, p.alpha, p.x, 1, p.y, 1, p.a.Data, p.a.Stride)
		}
	},
	"Gemv": func(p *operands[float64], iters int) {
		for range iters {
			gonumBLAS.Dgemv(blas.NoTrans, p.a.Rows, p.a.Cols, p.alpha, p.a.Data, p.a.Stride, p.x, 1, 0, p.y, 1)
		}
	},
	"GemvT": func(p *operands[float64], iters int) {
		for range iters {
			gonumBLAS.Dgemv(blas.Trans, p.a.Rows, p.a.Cols, p.alpha, p.a.Data, p.a.Stride, p.x, 1, 0, p.y, 1)
		}
	},
}
