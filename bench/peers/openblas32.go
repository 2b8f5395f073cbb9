package main

// #include "openblas.h"
import "C"
import (
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// openblas32 calls OpenBLAS from loops in C. It has neither a squared distance, which therefore is what its users write (copy,
// axpy, dot), nor a squared norm without a root, which is the dot of x with itself. It has a sum, but in 0.3.21 the one for
// AVX-512 returns wrong sums; the sum is therefore a dot with ones.
var openblas32 = map[string]loop[float32]{
	"Dot": func(p *operands[float32], iters int) {
		C.sdot_loop(C.long(iters), C.int(len(p.x)), c32(p.x), c32(p.y), (*C.float)(&p.out))
	},
	"Axpy": func(p *operands[float32], iters int) {
		C.saxpy_loop(C.long(iters), C.int(len(p.x)), C.float(p.alpha), c32(p.x), c32(p.y))
	},
	"SquaredDistance": func(p *operands[float32], iters int) {
		C.ssqdist_loop(C.long(iters), C.int(len(p.x)), c32(p.x), c32(p.y), c32(p.tmp), (*C.float)(&p.out))
	},
	"SquaredNorm": func(p *operands[float32], iters int) {
		C.sdot_loop(C.long(iters), C.int(len(p.x)), c32(p.x), c32(p.x), (*C.float)(&p.out))
	},
	"ArgMax": func(p *operands[float32], iters int) {
		C.sargmax_loop(C.long(iters), C.int(len(p.x)), c32(p.x), (*C.float)(&p.out))
	},
	"Sum": func(p *operands[float32], iters int) {
		C.sdot_loop(C.long(iters), C.int(len(p.x)), c32(p.x), c32(p.ones), (*C.float)(&p.out))
	},
	"AbsSum": func(p *operands[float32], iters int) {
		C.sasum_loop(C.long(iters), C.int(len(p.x)), c32(p.x), (*C.float)(&p.out))
	},
	"Scale": func(p *operands[float32], iters int) {
		C.sscal_loop(C.long(iters), C.int(len(p.x)), C.float(p.alpha), c32(p.x))
	},
	"Ger": func(p *operands[float32], iters int) {
		C.sger_loop(C.long(iters), C.int(p.a.Rows), C.int(p.a.Cols), C.float(p.alpha), c32(p.x), c32(p.y), c32(p.a.Data), C.int(p.a.Stride))
	},
	"Gemv": func(p *operands[float32], iters int) {
		C.sgemv_loop(C.long(iters), 0, C.int(p.a.Rows), C.int(p.a.Cols), C.float(p.alpha), c32(p.a.Data), C.int(p.a.Stride), c32(p.x), c32(p.y))
	},
	"GemvT": func(p *operands[float32], iters int) {
		C.sgemv_loop(C.long(iters), 1, C.int(p.a.Rows), C.int(p.a.Cols), C.float(p.alpha), c32(p.a.Data), C.int(p.a.Stride), c32(p.x), c32(p.y))
	},
}

func c32(x []float32) *C.float { return (*C.float)(unsafe.SliceData(x)) }

// openblasProduct32 calls OpenBLAS for a product, on one thread.
func openblasProduct32(q product) loop[float32] {
	flag := func(t vec.Trans) C.int {
		if t {
			return 1
		}
		return 0
	}
	return func(p *operands[float32], iters int) {
		if q.half {
			C.ssyrk_loop(C.long(iters), C.int(p.a.Rows), C.int(p.a.Cols), c32(p.a.Data), C.int(p.a.Stride), c32(p.c.Data), C.int(p.c.Stride))
			return
		}
		m, n, k := q.sizes(p.c.Rows, p.c.Cols, p.a.Rows, p.a.Cols)
		if q.pass && n == 1 { // a product with a vector is its quicker way, which adds to C
			for range iters {
				clear(p.c.Data)
				C.sgemv_loop(1, flag(q.ta), C.int(p.a.Rows), C.int(p.a.Cols), 1, c32(p.a.Data), C.int(p.a.Stride), c32(p.b.Data), c32(p.c.Data))
			}
			return
		}
		C.sgemm_loop(C.long(iters), flag(q.ta), flag(q.tb), C.int(m), C.int(n), C.int(k),
			c32(p.a.Data), C.int(p.a.Stride), c32(p.b.Data), C.int(p.b.Stride), c32(p.c.Data), C.int(p.c.Stride))
	}
}
