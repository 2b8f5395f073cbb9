package cases

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// gonum64 are the kernels that gonum has in one routine, by name; products are gonumProduct64.
var gonum64 = map[string]Loop[float64]{
	"Dot": func(p *Operands[float64], iters int) {
		for range iters {
			p.Out = gonum.Implementation{}.Ddot(len(p.X), p.X, 1, p.Y, 1)
		}
	},
	"SquaredNorm": func(p *Operands[float64], iters int) {
		for range iters {
			p.Out = gonum.Implementation{}.Ddot(len(p.X), p.X, 1, p.X, 1)
		}
	},
	"AbsSum": func(p *Operands[float64], iters int) {
		for range iters {
			p.Out = gonum.Implementation{}.Dasum(len(p.X), p.X, 1)
		}
	},
	"Scale": func(p *Operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dscal(len(p.X), p.Alpha, p.X, 1)
		}
	},
	"Axpy": func(p *Operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Daxpy(len(p.X), p.Alpha, p.X, 1, p.Y, 1)
		}
	},
	"Ger": func(p *Operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dger(p.A.Rows, p.A.Cols, p.Alpha, p.X, 1, p.Y, 1, p.A.Data, p.A.Stride)
		}
	},
	"Gemv": func(p *Operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dgemv(blas.NoTrans, p.A.Rows, p.A.Cols, p.Alpha, p.A.Data, p.A.Stride, p.X, 1, 0,
				p.Y, 1)
		}
	},
	"GemvT": func(p *Operands[float64], iters int) {
		for range iters {
			gonum.Implementation{}.Dgemv(blas.Trans, p.A.Rows, p.A.Cols, p.Alpha, p.A.Data, p.A.Stride, p.X, 1, 0, p.Y,
				1)
		}
	},
}

func gonumProduct64(q Product) Loop[float64] {
	return func(p *Operands[float64], iters int) {
		for range iters {
			if q.Half {
				gonum.Implementation{}.Dsyrk(blas.Lower, blas.NoTrans, p.A.Rows, p.A.Cols, 1,
					p.A.Data, p.A.Stride, 0, p.C.Data, p.C.Stride)
				continue
			}
			m, n, k := q.Sizes(p.C.Rows, p.C.Cols, p.A.Rows, p.A.Cols)
			gonum.Implementation{}.Dgemm(trans(q.TA), trans(q.TB), m, n, k, 1,
				p.A.Data, p.A.Stride, p.B.Data, p.B.Stride, 0, p.C.Data, p.C.Stride)
		}
	}
}
