// What LIBLINEAR's solvers are told, whatever version of it there is.
#include <string.h>
#include <linear.h>

#ifndef LIBLINEAR_VERSION
#define LIBLINEAR_VERSION 0
#endif

static inline struct parameter parameter_of(int solver, double c, double eps) {
	struct parameter q;
	memset(&q, 0, sizeof q);
	q.solver_type = solver;
	q.C = c;
	q.eps = eps;
#if LIBLINEAR_VERSION >= 241
	q.regularize_bias = 1;
#endif
	return q;
}
