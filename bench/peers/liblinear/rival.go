package main

/*
#cgo LDFLAGS: -llinear -lm
#include <stdlib.h>
#include <linear.h>

static void silent(const char *s) { (void)s; }

static struct model *crammer_singer(struct problem *p, double c, double eps) {
	struct parameter q = {0};
	q.solver_type = MCSVM_CS;
	q.eps = eps;
	q.C = c;
	set_print_string_function(silent);
	return train(p, &q);
}
*/
import "C"

import (
	"unsafe"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// rival holds the examples as LIBLINEAR wants them, in C's memory.
type rival struct {
	p     C.struct_problem
	nodes *C.struct_feature_node
}

func newRival(x *dataset.CSR[float64], y []int) *rival {
	n := x.Rows
	size := len(x.Val) + n
	r := &rival{nodes: (*C.struct_feature_node)(C.malloc(C.size_t(size) * C.sizeof_struct_feature_node))}
	r.p.l, r.p.n, r.p.bias = C.int(n), C.int(x.Cols), -1
	r.p.y = (*C.double)(C.malloc(C.size_t(n) * C.sizeof_double))
	r.p.x = (**C.struct_feature_node)(C.malloc(C.size_t(n) * C.size_t(unsafe.Sizeof(r.nodes))))
	nodes, labels, rows := unsafe.Slice(r.nodes, size), unsafe.Slice(r.p.y, n), unsafe.Slice(r.p.x, n)
	at := 0
	for i := range n {
		labels[i], rows[i] = C.double(y[i]), &nodes[at]
		columns, values := x.Row(i)
		for k, j := range columns {
			nodes[at] = C.struct_feature_node{index: C.int(j + 1), value: C.double(values[k])}
			at++
		}
		nodes[at].index = -1
		at++
	}
	return r
}

func (r *rival) free() {
	C.free(unsafe.Pointer(r.nodes))
	C.free(unsafe.Pointer(r.p.y))
	C.free(unsafe.Pointer(r.p.x))
}

// train returns W, d-by-m, and the CPU seconds that it took.
func (r *rival) train(c, eps float64, m int) (w vec.Matrix[float64], seconds float64) {
	start := cpuSeconds()
	model := C.crammer_singer(&r.p, C.double(c), C.double(eps))
	seconds = cpuSeconds() - start
	defer C.free_and_destroy_model(&model)
	classes := int(model.nr_class)
	label := unsafe.Slice(model.label, classes)
	weights := unsafe.Slice(model.w, int(model.nr_feature)*classes)
	w = vec.NewMatrix[float64](int(model.nr_feature), m)
	for j := range w.Rows {
		for c := range classes {
			w.Row(j)[label[c]] = float64(weights[j*classes+c])
		}
	}
	return w, seconds
}
