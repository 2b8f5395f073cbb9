// Loops around OpenBLAS, for float (s) and double (d). They run in C so that the way from Go to C is paid once a batch and
// not once a call. Every result goes to memory through a volatile pointer, as ours do: no call depends on another.

#include <cblas.h>

#define LOOPS(s, T)                                                                                    \
	static void s##dot_loop(long iters, int n, const T *x, const T *y, volatile T *out) {              \
		while (iters-- > 0) *out = cblas_##s##dot(n, x, 1, y, 1);                                      \
	}                                                                                                  \
	static void s##asum_loop(long iters, int n, const T *x, volatile T *out) {                         \
		while (iters-- > 0) *out = cblas_##s##asum(n, x, 1);                                           \
	}                                                                                                  \
	static void s##sqdist_loop(long iters, int n, const T *x, const T *y, T *tmp, volatile T *out) {   \
		while (iters-- > 0) {                                                                          \
			cblas_##s##copy(n, x, 1, tmp, 1);                                                          \
			cblas_##s##axpy(n, -1, y, 1, tmp, 1);                                                      \
			*out = cblas_##s##dot(n, tmp, 1, tmp, 1);                                                  \
		}                                                                                              \
	}                                                                                                  \
	static void s##axpy_loop(long iters, int n, T alpha, const T *x, T *y) {                           \
		while (iters-- > 0) cblas_##s##axpy(n, alpha, x, 1, y, 1);                                     \
	}                                                                                                  \
	static void s##scal_loop(long iters, int n, T alpha, T *x) {                                       \
		while (iters-- > 0) cblas_##s##scal(n, alpha, x, 1);                                           \
	}                                                                                                  \
	static void s##ger_loop(long iters, int m, int n, T alpha, const T *x, const T *y, T *a, int lda) { \
		while (iters-- > 0) cblas_##s##ger(CblasRowMajor, m, n, alpha, x, 1, y, 1, a, lda);            \
	}                                                                                                  \
	static void s##gemv_loop(long iters, int trans, int m, int n, T alpha, const T *a, int lda,        \
	                         const T *x, T *y) {                                                       \
		while (iters-- > 0)                                                                            \
			cblas_##s##gemv(CblasRowMajor, trans ? CblasTrans : CblasNoTrans, m, n, alpha, a, lda,     \
			                x, 1, 0, y, 1);                                                            \
	}

LOOPS(s, float)
LOOPS(d, double)

static void dsum_loop(long iters, int n, const double *x, volatile double *out) {
	while (iters-- > 0) *out = cblas_dsum(n, x, 1);
}
