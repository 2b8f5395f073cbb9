package kernels

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// gonum64 are the kernels that gonum has in one routine, by name.
var gonum64 = map[string]loop[float64]{
	"Dot": func(p *operands[float64], iters int) {
		for range iters {
			p.out = gonum.Implementation{}.Ddot(len(p.x), p.x, 1, p.y, 1)
		}
	},
	"SquaredNorm": func(p *operands[float64], iters int) {
		for range iters {
			p.out = gonum.Implementation{}.Ddot(len(p.x), p.x, 1, p.x, 1)
		}
	},
	"AbsSum": func(p *operands[float64], iters int) {
		for range iters {
			p.out = gonum.Implementation{}.Dasum(len(p.x), p.x, 1)
		}
	},
	"Scale": func(p *operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dscal(len(p.x), p.alpha, p.x, 1)
		}
	},
	"Axpy": func(p *operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Daxpy(len(p.x), p.alpha, p.x, 1, p.y, 1)
		}
	},
	"Ger": func(p *operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dger(p.a.Rows, p.a.Cols, p.alpha, p.x, 1, p.y, 1, p.a.Data, p.a.Stride)
		}
	},
	"Gemv": func(p *operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dgemv(blas.NoTrans, p.a.Rows, p.a.Cols, p.alpha, p.a.Data, p.a.Stride, p.x, 1, 0, p.y, 1)
		}
	},
	"GemvT": func(p *operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dgemv(blas.Trans, p.a.Rows, p.a.Cols, p.alpha, p.a.Data, p.a.Stride, p.x, 1, 0, p.y, 1)
		}
	},
	"Gemm": func(p *operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, p.a.Rows, p.b.Cols, p.a.Cols, p.alpha,
				p.a.Data, p.a.Stride, p.b.Data, p.b.Stride, 0, p.c.Data, p.c.Stride)
		}
	},
}
