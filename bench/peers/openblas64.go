package main

// #include "openblas.h"
import "C"
import (
	"unsafe"

	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/vec"
)

// openblas64 is openblas32 in double precision, where the sum is right.
var openblas64 = map[string]loop[float64]{
	"Dot": func(p *operands[float64], iters int) {
		C.ddot_loop(C.long(iters), C.int(len(p.X)), c64(p.X), c64(p.Y), (*C.double)(&p.Out))
	},
	"Axpy": func(p *operands[float64], iters int) {
		C.daxpy_loop(C.long(iters), C.int(len(p.X)), C.double(p.Alpha), c64(p.X), c64(p.Y))
	},
	"SquaredDistance": func(p *operands[float64], iters int) {
		C.dsqdist_loop(C.long(iters), C.int(len(p.X)), c64(p.X), c64(p.Y), c64(p.Scratch()), (*C.double)(&p.Out))
	},
	"SquaredNorm": func(p *operands[float64], iters int) {
		C.ddot_loop(C.long(iters), C.int(len(p.X)), c64(p.X), c64(p.X), (*C.double)(&p.Out))
	},
	"ArgMax": func(p *operands[float64], iters int) {
		C.dargmax_loop(C.long(iters), C.int(len(p.X)), c64(p.X), (*C.double)(&p.Out))
	},
	"Sum": func(p *operands[float64], iters int) {
		C.dsum_loop(C.long(iters), C.int(len(p.X)), c64(p.X), (*C.double)(&p.Out))
	},
	"AbsSum": func(p *operands[float64], iters int) {
		C.dasum_loop(C.long(iters), C.int(len(p.X)), c64(p.X), (*C.double)(&p.Out))
	},
	"Scale": func(p *operands[float64], iters int) {
		C.dscal_loop(C.long(iters), C.int(len(p.X)), C.double(p.Alpha), c64(p.X))
	},
	"Ger": func(p *operands[float64], iters int) {
		C.dger_loop(C.long(iters), C.int(p.A.Rows), C.int(p.A.Cols), C.double(p.Alpha), c64(p.X), c64(p.Y),
			c64(p.A.Data), C.int(p.A.Stride))
	},
	"Gemv": func(p *operands[float64], iters int) {
		C.dgemv_loop(C.long(iters), 0, C.int(p.A.Rows), C.int(p.A.Cols), C.double(p.Alpha), c64(p.A.Data),
			C.int(p.A.Stride), c64(p.X), c64(p.Y))
	},
	"GemvT": func(p *operands[float64], iters int) {
		C.dgemv_loop(C.long(iters), 1, C.int(p.A.Rows), C.int(p.A.Cols), C.double(p.Alpha), c64(p.A.Data),
			C.int(p.A.Stride), c64(p.X), c64(p.Y))
	},
}

func c64(x []float64) *C.double { return (*C.double)(unsafe.SliceData(x)) }

// openblasProduct64 calls OpenBLAS for a product, on one thread.
func openblasProduct64(q cases.Product) loop[float64] {
	flag := func(t vec.Trans) C.int {
		if t {
			return 1
		}
		return 0
	}
	return func(p *operands[float64], iters int) {
		if q.Half {
			C.dsyrk_loop(C.long(iters), C.int(p.A.Rows), C.int(p.A.Cols), c64(p.A.Data), C.int(p.A.Stride),
				c64(p.C.Data), C.int(p.C.Stride))
			return
		}
		m, n, k := q.Sizes(p.C.Rows, p.C.Cols, p.A.Rows, p.A.Cols)
		if q.Pass && n == 1 { // a product with a vector is its quicker way, which adds to C
			for range iters {
				clear(p.C.Data)
				C.dgemv_loop(1, flag(q.TA), C.int(p.A.Rows), C.int(p.A.Cols), 1, c64(p.A.Data), C.int(p.A.Stride),
					c64(p.B.Data), c64(p.C.Data))
			}
			return
		}
		C.dgemm_loop(C.long(iters), flag(q.TA), flag(q.TB), C.int(m), C.int(n), C.int(k),
			c64(p.A.Data), C.int(p.A.Stride), c64(p.B.Data), C.int(p.B.Stride), c64(p.C.Data), C.int(p.C.Stride))
	}
}
