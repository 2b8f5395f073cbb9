package race

/*
#cgo LDFLAGS: -lsvm -lm
#include <math.h>
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

static void quiet_svm(const char *s) { (void)s; }

// What svm-train has by default, of a Gaussian kernel.
static struct svm_model *train_svm(struct svm_problem *p, int type, double gamma, double c, double epsilon, double nu,
                                   double eps, double cache) {
	struct svm_parameter q = {0};
	q.svm_type = type;
	q.kernel_type = RBF;
	q.gamma = gamma;
	q.C = c;
	q.p = epsilon;
	q.nu = nu;
	q.eps = eps;
	q.cache_size = cache;
	q.shrinking = 1;
	svm_set_print_string_function(quiet_svm);
	return svm_train(p, &q);
}
*/
import "C"

import "unsafe"

func (e *Examples) square() { C.square(e.rows, &e.squares[0], C.int(e.n)) }

// KernelRow returns row i of the Gaussian kernel matrix, until the next call.
func (e *Examples) KernelRow(gamma float64, i int) []float32 {
	C.row(e.rows, &e.squares[0], C.int(e.n), C.double(gamma), C.int(i), (*C.float)(&e.row[0]))
	return e.row
}

// LIBSVM trains its c_svc with a Gaussian kernel on labels 1 and -1 of each example. All is as svm-train has it by
// default (eps .001, shrinking), but for C, gamma and the size of the cache in MB. It returns the CPU seconds and the
// score of label 1,
//
//	Σ_i coef_i k(x_i, x) + offset,
//
// which is constant where all labels are the same.
func (e *Examples) LIBSVM(c, gamma, cache float64, y []int) (seconds float64, coef []float64, offset float64) {
	e.setLabels(y)
	p := C.struct_svm_problem{l: C.int(e.n), y: &e.labels[0], x: e.rows}
	start := CPUSeconds()
	model := C.train_svm(&p, C.C_SVC, C.double(gamma), C.double(c), 0, 0, .001, C.double(cache))
	seconds = CPUSeconds() - start
	defer C.svm_free_and_destroy_model(&model)
	coef = make([]float64, e.n)
	if model.nr_class < 2 {
		return seconds, coef, float64(*model.label)
	}
	// Scores speak for the first label; LIBSVM puts 1 before -1.
	support := unsafe.Slice(model.sv_indices, int(model.l))
	for k, v := range unsafe.Slice(*model.sv_coef, int(model.l)) {
		coef[support[k]-1] = float64(v)
	}
	return seconds, coef, -float64(*model.rho)
}

// LIBSVM's machines of one output without labels, by the number that its option -s has for them.
const (
	OneClassKernel = C.ONE_CLASS
	Regression     = C.EPSILON_SVR
)

// LIBSVMTargets trains its epsilon_svr on a target of each example, or its one_class, with a Gaussian kernel, to eps.
// It returns the CPU seconds and the coefficients of the examples.
func (e *Examples) LIBSVMTargets(kind int, gamma, c, epsilon, nu, eps, cache float64, y []float64) (seconds float64,
	coef []float64) {
	for i := range e.labels {
		e.labels[i] = 1
		if y != nil {
			e.labels[i] = C.double(y[i])
		}
	}
	p := C.struct_svm_problem{l: C.int(e.n), y: &e.labels[0], x: e.rows}
	start := CPUSeconds()
	model := C.train_svm(&p, C.int(kind), C.double(gamma), C.double(c), C.double(epsilon), C.double(nu),
		C.double(eps), C.double(cache))
	seconds = CPUSeconds() - start
	defer C.svm_free_and_destroy_model(&model)
	coef = make([]float64, e.n)
	support := unsafe.Slice(model.sv_indices, int(model.l))
	for k, v := range unsafe.Slice(*model.sv_coef, int(model.l)) {
		coef[support[k]-1] = float64(v)
	}
	return seconds, coef
}
