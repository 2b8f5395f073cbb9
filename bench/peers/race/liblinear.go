package race

/*
#cgo LDFLAGS: -llinear -lm
#include <stdlib.h>
#include "parameter.h"

static void quiet_linear(const char *s) { (void)s; }

// Its random order starts anew each time, as in liblinear-train.
static struct model *train_linear(struct problem *p, int solver, double c, double eps) {
	struct parameter q = parameter_of(solver, c, eps);
	set_print_string_function(quiet_linear);
	srand(1);
	return train(p, &q);
}
*/
import "C"

import (
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// LIBLINEAR's solvers, by the number that its option -s has for them.
const (
	SquaredHinge   = C.L2R_L2LOSS_SVC_DUAL
	Logistic       = C.L2R_LR_DUAL
	LogisticNewton = C.L2R_LR
	Hinge          = C.L2R_L1LOSS_SVC_DUAL
	CrammerSinger  = C.MCSVM_CS
	L1SquaredHinge = C.L1R_L2LOSS_SVC
	L1Logistic     = C.L1R_LR
)

// LIBLINEAR trains without a bias, on a class y_i or on labels 1 and -1 of each example. It returns the CPU
// seconds, the label of each column, and the weights, features by columns; two labels share one column, whose positive
// scores speak for the first, unless the solver is CrammerSinger.
func (e *Examples) LIBLINEAR(solver int, c, eps float64, y []int) (
	seconds float64, labels []int, w vec.Matrix[float64],
) {
	e.setLabels(y)
	p := C.struct_problem{l: C.int(e.n), n: C.int(e.d), bias: -1, y: &e.labels[0],
		x: (**C.struct_feature_node)(unsafe.Pointer(e.rows))}
	start := CPUSeconds()
	model := C.train_linear(&p, C.int(solver), C.double(c), C.double(eps))
	seconds = CPUSeconds() - start
	defer C.free_and_destroy_model(&model)
	for _, l := range unsafe.Slice(model.label, int(model.nr_class)) {
		labels = append(labels, int(l))
	}
	columns := len(labels)
	if columns == 2 && solver != CrammerSinger {
		columns = 1
	}
	w = vec.NewMatrix[float64](e.d, columns)
	weights := unsafe.Slice(model.w, e.d*columns)
	for j := range e.d {
		for c, v := range weights[j*columns:][:columns] {
			w.Row(j)[c] = float64(v)
		}
	}
	return seconds, labels, w
}
