package race

/*
#include <stdlib.h>
#include <libsvm/svm.h>
*/
import "C"

import (
	"unsafe"

	"github.com/dualgap/dualgap/dataset"
)

// Examples are rows and their labels as LIBLINEAR and LIBSVM want them, in C's memory. The two lay out a number of a
// row in the same way: an index from 1, a float64; -1 ends the row.
type Examples struct {
	n, d    int
	nodes   *C.struct_svm_node
	rows    **C.struct_svm_node
	labels  []C.double
	squares []C.double // of the rows' norms
	row     []float32  // of a kernel matrix
}

// NewExamples copies x. Its memory is not Go's: call Free.
func NewExamples(x *dataset.CSR[float64]) *Examples {
	n := x.Rows
	size := len(x.Val) + n
	e := &Examples{n: n, d: x.Cols,
		nodes:   (*C.struct_svm_node)(C.malloc(C.size_t(size) * C.sizeof_struct_svm_node)),
		rows:    (**C.struct_svm_node)(C.malloc(C.size_t(n) * C.size_t(unsafe.Sizeof(uintptr(0))))),
		labels:  unsafe.Slice((*C.double)(C.malloc(C.size_t(n)*C.sizeof_double)), n),
		squares: unsafe.Slice((*C.double)(C.malloc(C.size_t(n)*C.sizeof_double)), n),
		row:     unsafe.Slice((*float32)(C.malloc(C.size_t(n)*C.sizeof_float)), n),
	}
	nodes, rows := unsafe.Slice(e.nodes, size), unsafe.Slice(e.rows, n)
	at := 0
	for i := range n {
		rows[i] = &nodes[at]
		columns, values := x.Row(i)
		for k, j := range columns {
			nodes[at] = C.struct_svm_node{index: C.int(j + 1), value: C.double(values[k])}
			at++
		}
		nodes[at].index = -1
		at++
	}
	e.square()
	return e
}

func (e *Examples) setLabels(y []int) {
	for i, c := range y {
		e.labels[i] = C.double(c)
	}
}

// Free gives the memory back.
func (e *Examples) Free() {
	for _, p := range []unsafe.Pointer{
		unsafe.Pointer(e.nodes), unsafe.Pointer(e.rows), unsafe.Pointer(&e.labels[0]),
		unsafe.Pointer(&e.squares[0]), unsafe.Pointer(&e.row[0]),
	} {
		C.free(p)
	}
}
