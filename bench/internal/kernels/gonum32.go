package kernels

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// gonum32 are the kernels that gonum has in one routine, by name.
var gonum32 = map[string]loop[float32]{
	"Dot": func(p *operands[float32], iters int) {
		for range iters {
			p.out = gonum.Implementation{}.Sdot(len(p.x), p.x, 1, p.y, 1)
		}
	},
	"SquaredNorm": func(p *operands[float32], iters int) {
		for range iters {
			p.out = gonum.Implementation{}.Sdot(len(p.x), p.x, 1, p.x, 1)
		}
	},
	"AbsSum": func(p *operands[float32], iters int) {
		for range iters {
			p.out = gonum.Implementation{}.Sasum(len(p.x), p.x, 1)
		}
	},
	"Scale": func(p *operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sscal(len(p.x), p.alpha, p.x, 1)
		}
	},
	"Axpy": func(p *operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Saxpy(len(p.x), p.alpha, p.x, 1, p.y, 1)
		}
	},
	"Ger": func(p *operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sger(p.a.Rows, p.a.Cols, p.alpha, p.x, 1, p.y, 1, p.a.Data, p.a.Stride)
		}
	},
	"Gemv": func(p *operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sgemv(blas.NoTrans, p.a.Rows, p.a.Cols, p.alpha, p.a.Data, p.a.Stride, p.x, 1, 0, p.y, 1)
		}
	},
	"GemvT": func(p *operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sgemv(blas.Trans, p.a.Rows, p.a.Cols, p.alpha, p.a.Data, p.a.Stride, p.x, 1, 0, p.y, 1)
		}
	},
	"Gemm": func(p *operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sgemm(blas.NoTrans, blas.NoTrans, p.a.Rows, p.b.Cols, p.a.Cols, p.alpha,
				p.a.Data, p.a.Stride, p.b.Data, p.b.Stride, 0, p.c.Data, p.c.Stride)
		}
	},
}
