package main

/*
#cgo LDFLAGS: -lopenblas
#include <cblas.h>
*/
import "C"

import (
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// single holds OpenBLAS to one thread.
func single() { C.openblas_set_num_threads(1) }

// sgemm sets C = op(A) B; where B has one column it is a product with a vector.
func sgemm(transpose bool, a, b, c vec.Matrix[float32]) {
	t := C.enum_CBLAS_TRANSPOSE(C.CblasNoTrans)
	if transpose {
		t = C.CblasTrans
	}
	p := func(m vec.Matrix[float32]) *C.float { return (*C.float)(unsafe.Pointer(&m.Data[0])) }
	if b.Cols == 1 {
		C.cblas_sgemv(C.CblasRowMajor, t, C.int(a.Rows), C.int(a.Cols), 1, p(a), C.int(a.Stride), p(b), 1, 0, p(c), 1)
		return
	}
	C.cblas_sgemm(C.CblasRowMajor, t, C.CblasNoTrans, C.int(c.Rows), C.int(c.Cols), C.int(b.Rows), 1, p(a),
		C.int(a.Stride), p(b), C.int(b.Stride), 0, p(c), C.int(c.Stride))
}
