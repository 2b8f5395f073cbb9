package race

/*
#include <stdlib.h>
#include "parameter.h"

static void quiet_targets(const char *s) { (void)s; }

static struct model *train_targets(struct problem *p, int solver, double c, double eps, double epsilon) {
	struct parameter q = parameter_of(solver, c, eps);
	q.p = epsilon;
	set_print_string_function(quiet_targets);
	srand(1);
	return train(p, &q);
}
*/
import "C"

import (
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// LIBLINEAR's solvers of regression, by the number that its option -s has for them.
const (
	SquaredInsensitivePrimal = C.L2R_L2LOSS_SVR
	SquaredInsensitive       = C.L2R_L2LOSS_SVR_DUAL
	Insensitive              = C.L2R_L1LOSS_SVR_DUAL
)

// LIBLINEARTargets trains without a bias on a target of each example. It returns the CPU seconds and the weights,
// features by one.
func (e *Examples) LIBLINEARTargets(solver int, c, eps, epsilon float64, y []float64) (seconds float64,
	w vec.Matrix[float64]) {
	for i, v := range y {
		e.labels[i] = C.double(v)
	}
	p := C.struct_problem{l: C.int(e.n), n: C.int(e.d), bias: -1, y: &e.labels[0],
		x: (**C.struct_feature_node)(unsafe.Pointer(e.rows))}
	start := CPUSeconds()
	model := C.train_targets(&p, C.int(solver), C.double(c), C.double(eps), C.double(epsilon))
	seconds = CPUSeconds() - start
	defer C.free_and_destroy_model(&model)
	w = vec.NewMatrix[float64](e.d, 1)
	for j, v := range unsafe.Slice(model.w, e.d) {
		w.Data[j] = float64(v)
	}
	return seconds, w
}
