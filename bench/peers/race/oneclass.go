package race

/*
#include <stdlib.h>
#include "parameter.h"

static void quiet_one(const char *s) { (void)s; }

#if LIBLINEAR_VERSION >= 240
enum { one_class = ONECLASS_SVM };
static struct model *train_one(struct problem *p, double nu, double eps) {
	struct parameter q = parameter_of(ONECLASS_SVM, 1, eps);
	q.nu = nu;
	set_print_string_function(quiet_one);
	srand(1);
	return train(p, &q);
}
#else
enum { one_class = 0 };
static struct model *train_one(struct problem *p, double nu, double eps) {
	(void)p; (void)nu; (void)eps;
	set_print_string_function(quiet_one);
	return NULL;
}
#endif

static int version(void) { return LIBLINEAR_VERSION; }
*/
import "C"

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// OneClass is the number that LIBLINEAR's option -s has for its machine of one class.
const OneClass = 21

// NoOneClass returns why the LIBLINEAR at hand has no machine of one class, nil where it has one.
func NoOneClass() error {
	if C.one_class == OneClass {
		return nil
	}
	return fmt.Errorf("LIBLINEAR %d.%02d has no one class, which came with 2.40: name another by CGO_CFLAGS and "+
		"CGO_LDFLAGS", C.version()/100, C.version()%100)
}

// LIBLINEAROneClass trains its machine of one class. It returns the CPU seconds and the weights, features by one.
func (e *Examples) LIBLINEAROneClass(nu, eps float64) (seconds float64, w vec.Matrix[float64], err error) {
	if err := NoOneClass(); err != nil {
		return 0, w, err
	}
	for i := range e.labels {
		e.labels[i] = 1
	}
	p := C.struct_problem{l: C.int(e.n), n: C.int(e.d), bias: -1, y: &e.labels[0],
		x: (**C.struct_feature_node)(unsafe.Pointer(e.rows))}
	start := CPUSeconds()
	model := C.train_one(&p, C.double(nu), C.double(eps))
	seconds = CPUSeconds() - start
	defer C.free_and_destroy_model(&model)
	w = vec.NewMatrix[float64](e.d, 1)
	for j, v := range unsafe.Slice(model.w, e.d) {
		w.Data[j] = float64(v)
	}
	return seconds, w, nil
}

// OneClassLosses returns the least over b of
//
//	sum_i max(0, -(s_i + b)) + nu n b
//
// for the n scores s: -b is the score that as many as nu n are below, as far as a number of them can.
func OneClassLosses(nu float64, scores []float64) float64 {
	sorted := slices.Sorted(slices.Values(scores))
	n := float64(len(sorted))
	b := -sorted[min(len(sorted)-1, int(math.Floor(nu*n)))]
	sum := nu * n * b
	for _, s := range sorted {
		sum += max(0, -(s + b))
	}
	return sum
}
