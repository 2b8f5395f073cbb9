package cases

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/dualgap/dualgap/vec"
)

// gonum32 are the kernels that gonum has in one routine, by name; products are gonumProduct32.
var gonum32 = map[string]Loop[float32]{
	"Dot": func(p *Operands[float32], iters int) {
		for range iters {
			p.Out = gonum.Implementation{}.Sdot(len(p.X), p.X, 1, p.Y, 1)
		}
	},
	"SquaredNorm": func(p *Operands[float32], iters int) {
		for range iters {
			p.Out = gonum.Implementation{}.Sdot(len(p.X), p.X, 1, p.X, 1)
		}
	},
	"AbsSum": func(p *Operands[float32], iters int) {
		for range iters {
			p.Out = gonum.Implementation{}.Sasum(len(p.X), p.X, 1)
		}
	},
	"Scale": func(p *Operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sscal(len(p.X), p.Alpha, p.X, 1)
		}
	},
	"Axpy": func(p *Operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Saxpy(len(p.X), p.Alpha, p.X, 1, p.Y, 1)
		}
	},
	"Ger": func(p *Operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sger(p.A.Rows, p.A.Cols, p.Alpha, p.X, 1, p.Y, 1, p.A.Data, p.A.Stride)
		}
	},
	"Gemv": func(p *Operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sgemv(blas.NoTrans, p.A.Rows, p.A.Cols, p.Alpha, p.A.Data, p.A.Stride, p.X, 1, 0,
				p.Y, 1)
		}
	},
	"GemvT": func(p *Operands[float32], iters int) {
		for range iters {
			gonum.Implementation{}.Sgemv(blas.Trans, p.A.Rows, p.A.Cols, p.Alpha, p.A.Data, p.A.Stride, p.X, 1, 0, p.Y,
				1)
		}
	},
}

func gonumProduct32(q Product) Loop[float32] {
	return func(p *Operands[float32], iters int) {
		for range iters {
			if q.Half {
				gonum.Implementation{}.Ssyrk(blas.Lower, blas.NoTrans, p.A.Rows, p.A.Cols, 1,
					p.A.Data, p.A.Stride, 0, p.C.Data, p.C.Stride)
				continue
			}
			m, n, k := q.Sizes(p.C.Rows, p.C.Cols, p.A.Rows, p.A.Cols)
			gonum.Implementation{}.Sgemm(trans(q.TA), trans(q.TB), m, n, k, 1,
				p.A.Data, p.A.Stride, p.B.Data, p.B.Stride, 0, p.C.Data, p.C.Stride)
		}
	}
}

func trans(t vec.Trans) blas.Transpose {
	if t {
		return blas.Trans
	}
	return blas.NoTrans
}
