package main

// #include "openblas.h"
import "C"
import (
	"unsafe"

	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/vec"
)

// openblas32 calls OpenBLAS from loops in C. It has neither a squared distance, which therefore is what its users write
// (copy, axpy, dot), nor a squared norm without a root, which is the dot of x with itself. It has a sum, but in 0.3.21
// the one for AVX-512 returns wrong sums; the sum is therefore a dot with ones.
var openblas32 = map[string]loop[float32]{
	"Dot": func(p *operands[float32], iters int) {
		C.sdot_loop(C.long(iters), C.int(len(p.X)), c32(p.X), c32(p.Y), (*C.float)(&p.Out))
	},
	"Axpy": func(p *operands[float32], iters int) {
		C.saxpy_loop(C.long(iters), C.int(len(p.X)), C.float(p.Alpha), c32(p.X), c32(p.Y))
	},
	"SquaredDistance": func(p *operands[float32], iters int) {
		C.ssqdist_loop(C.long(iters), C.int(len(p.X)), c32(p.X), c32(p.Y), c32(p.Scratch()), (*C.float)(&p.Out))
	},
	"SquaredNorm": func(p *operands[float32], iters int) {
		C.sdot_loop(C.long(iters), C.int(len(p.X)), c32(p.X), c32(p.X), (*C.float)(&p.Out))
	},
	"ArgMax": func(p *operands[float32], iters int) {
		C.sargmax_loop(C.long(iters), C.int(len(p.X)), c32(p.X), (*C.float)(&p.Out))
	},
	"Sum": func(p *operands[float32], iters int) {
		C.sdot_loop(C.long(iters), C.int(len(p.X)), c32(p.X), c32(p.Ones()), (*C.float)(&p.Out))
	},
	"AbsSum": func(p *operands[float32], iters int) {
		C.sasum_loop(C.long(iters), C.int(len(p.X)), c32(p.X), (*C.float)(&p.Out))
	},
	"Scale": func(p *operands[float32], iters int) {
		C.sscal_loop(C.long(iters), C.int(len(p.X)), C.float(p.Alpha), c32(p.X))
	},
	"Ger": func(p *operands[float32], iters int) {
		C.sger_loop(C.long(iters), C.int(p.A.Rows), C.int(p.A.Cols), C.float(p.Alpha), c32(p.X), c32(p.Y),
			c32(p.A.Data), C.int(p.A.Stride))
	},
	"Gemv": func(p *operands[float32], iters int) {
		C.sgemv_loop(C.long(iters), 0, C.int(p.A.Rows), C.int(p.A.Cols), C.float(p.Alpha), c32(p.A.Data),
			C.int(p.A.Stride), c32(p.X), c32(p.Y))
	},
	"GemvT": func(p *operands[float32], iters int) {
		C.sgemv_loop(C.long(iters), 1, C.int(p.A.Rows), C.int(p.A.Cols), C.float(p.Alpha), c32(p.A.Data),
			C.int(p.A.Stride), c32(p.X), c32(p.Y))
	},
}

func c32(x []float32) *C.float { return (*C.float)(unsafe.SliceData(x)) }

// openblasProduct32 calls OpenBLAS for a product, on one thread.
func openblasProduct32(q cases.Product) loop[float32] {
	flag := func(t vec.Trans) C.int {
		if t {
			return 1
		}
		return 0
	}
	return func(p *operands[float32], iters int) {
		if q.Half {
			C.ssyrk_loop(C.long(iters), C.int(p.A.Rows), C.int(p.A.Cols), c32(p.A.Data), C.int(p.A.Stride),
				c32(p.C.Data), C.int(p.C.Stride))
			return
		}
		m, n, k := q.Sizes(p.C.Rows, p.C.Cols, p.A.Rows, p.A.Cols)
		if q.Pass && n == 1 { // a product with a vector is its quicker way, which adds to C
			for range iters {
				clear(p.C.Data)
				C.sgemv_loop(1, flag(q.TA), C.int(p.A.Rows), C.int(p.A.Cols), 1, c32(p.A.Data), C.int(p.A.Stride),
					c32(p.B.Data), c32(p.C.Data))
			}
			return
		}
		C.sgemm_loop(C.long(iters), flag(q.TA), flag(q.TB), C.int(m), C.int(n), C.int(k),
			c32(p.A.Data), C.int(p.A.Stride), c32(p.B.Data), C.int(p.B.Stride), c32(p.C.Data), C.int(p.C.Stride))
	}
}
