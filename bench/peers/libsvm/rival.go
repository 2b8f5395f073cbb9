package main

/*
#cgo LDFLAGS: -lsvm -lm
#include <math.h>
#include <stdlib.h>
#include <libsvm/svm.h>

// The inner product of two examples in LIBSVM's training, Kernel::dot of svm.cpp.
extern double libsvm_dot(const struct svm_node *x, const struct svm_node *z) __asm__("_ZN6Kernel3dotEPK8svm_nodeS2_");

static void square(struct svm_node **x, double *squares, int n) {
	for (int i = 0; i < n; i++) squares[i] = libsvm_dot(x[i], x[i]);
}

// What SVC_Q::get_Q does for a Gaussian kernel, but for the labels: a row of floats.
static void row(struct svm_node **x, const double *squares, int n, double gamma, int i, float *to) {
	for (int j = 0; j < n; j++) to[j] = (float)exp(-gamma * (squares[i] + squares[j] - 2 * libsvm_dot(x[i], x[j])));
}
*/
import "C"

import (
	"unsafe"

	"github.com/dualgap/dualgap/dataset"
)

// rival holds the examples as LIBSVM wants them, in C's memory.
type rival struct {
	nodes   *C.struct_svm_node
	x       **C.struct_svm_node
	squares *C.double
	row     []float32
}

func newRival(x *dataset.CSR[float64]) *rival {
	n := x.Rows
	size := len(x.Val) + n
	r := &rival{
		nodes:   (*C.struct_svm_node)(C.malloc(C.size_t(size) * C.sizeof_struct_svm_node)),
		x:       (**C.struct_svm_node)(C.malloc(C.size_t(n) * C.size_t(unsafe.Sizeof(uintptr(0))))),
		squares: (*C.double)(C.malloc(C.size_t(n) * C.sizeof_double)),
		row:     unsafe.Slice((*float32)(C.malloc(C.size_t(n)*C.sizeof_float)), n),
	}
	nodes, rows := unsafe.Slice(r.nodes, size), unsafe.Slice(r.x, n)
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
	C.square(r.x, r.squares, C.int(n))
	return r
}

// kernelRow returns row i of the kernel matrix, until the next call.
func (r *rival) kernelRow(gamma float64, i int) []float32 {
	C.row(r.x, r.squares, C.int(len(r.row)), C.double(gamma), C.int(i), (*C.float)(&r.row[0]))
	return r.row
}

func (r *rival) free() {
	C.free(unsafe.Pointer(r.nodes))
	C.free(unsafe.Pointer(r.x))
	C.free(unsafe.Pointer(r.squares))
	C.free(unsafe.Pointer(&r.row[0]))
}
