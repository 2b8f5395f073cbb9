package main

// #include "openblas.h"
import "C"
import (
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// openblas64 is openblas32 in double precision, where the sum is right.
var openblas64 = map[string]loop[float64]{
	"Dot": func(p *operands[float64], iters int) {
		C.ddot_loop(C.long(iters), C.int(len(p.x)), c64(p.x), c64(p.y), (*C.double)(&p.out))
	},
	"Axpy": func(p *operands[float64], iters int) {
		C.daxpy_loop(C.long(iters), C.int(len(p.x)), C.double(p.alpha), c64(p.x), c64(p.y))
	},
	"SquaredDistance": func(p *operands[float64], iters int) {
		C.dsqdist_loop(C.long(iters), C.int(len(p.x)), c64(p.x), c64(p.y), c64(p.tmp), (*C.double)(&p.out))
	},
	"SquaredNorm": func(p *operands[float64], iters int) {
		C.ddot_loop(C.long(iters), C.int(len(p.x)), c64(p.x), c64(p.x), (*C.double)(&p.out))
	},
	"ArgMax": func(p *operands[float64], iters int) {
		C.dargmax_loop(C.long(iters), C.int(len(p.x)), c64(p.x), (*C.double)(&p.out))
	},
	"Sum": func(p *operands[float64], iters int) {
		C.dsum_loop(C.long(iters), C.int(len(p.x)), c64(p.x), (*C.double)(&p.out))
	},
	"AbsSum": func(p *operands[float64], iters int) {
		C.dasum_loop(C.long(iters), C.int(len(p.x)), c64(p.x), (*C.double)(&p.out))
	},
	"Scale": func(p *operands[float64], iters int) {
		C.dscal_loop(C.long(iters), C.int(len(p.x)), C.double(p.alpha), c64(p.x))
	},
	"Ger": func(p *operands[float64], iters int) {
		C.dger_loop(C.long(iters), C.int(p.a.Rows), C.int(p.a.Cols), C.double(p.alpha), c64(p.x), c64(p.y), c64(p.a.Data), C.int(p.a.Stride))
	},
	"Gemv": func(p *operands[float64], iters int) {
		C.dgemv_loop(C.long(iters), 0, C.int(p.a.Rows), C.int(p.a.Cols), C.double(p.alpha), c64(p.a.Data), C.int(p.a.Stride), c64(p.x), c64(p.y))
	},
	"GemvT": func(p *operands[float64], iters int) {
		C.dgemv_loop(C.long(iters), 1, C.int(p.a.Rows), C.int(p.a.Cols), C.double(p.alpha), c64(p.a.Data), C.int(p.a.Stride), c64(p.x), c64(p.y))
	},
}

func c64(x []float64) *C.double { return (*C.double)(unsafe.SliceData(x)) }

// openblasProduct64 calls OpenBLAS for a product, on one thread.
func openblasProduct64(q product) loop[float64] {
	flag := func(t vec.Trans) C.int {
		if t {
			return 1
		}
		return 0
	}
	return func(p *operands[float64], iters int) {
		if q.half {
			C.dsyrk_loop(C.long(iters), C.int(p.a.Rows), C.int(p.a.Cols), c64(p.a.Data), C.int(p.a.Stride), c64(p.c.Data), C.int(p.c.Stride))
			return
		}
		m, n, k := q.sizes(p.c.Rows, p.c.Cols, p.a.Rows, p.a.Cols)
		if q.pass && n == 1 { // a product with a vector is its quicker way, which adds to C
			for range iters {
				clear(p.c.Data)
				C.dgemv_loop(1, flag(q.ta), C.int(p.a.Rows), C.int(p.a.Cols), 1, c64(p.a.Data), C.int(p.a.Stride), c64(p.b.Data), c64(p.c.Data))
			}
			return
		}
		C.dgemm_loop(C.long(iters), flag(q.ta), flag(q.tb), C.int(m), C.int(n), C.int(k),
			c64(p.a.Data), C.int(p.a.Stride), c64(p.b.Data), C.int(p.b.Stride), c64(p.c.Data), C.int(p.c.Stride))
	}
}
