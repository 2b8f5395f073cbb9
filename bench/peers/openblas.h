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

#define PRODUCTS(s, T)                                                                                 \
	static void s##gemm_loop(long iters, int ta, int tb, int m, int n, int k, const T *a, int lda,     \
	                         const T *b, int ldb, T *c, int ldc) {                                     \
		while (iters-- > 0)                                                                            \
			cblas_##s##gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, \
			                m, n, k, 1, a, lda, b, ldb, 0, c, ldc);                                    \
	}                                                                                                  \
	static void s##syrk_loop(long iters, int n, int k, const T *a, int lda, T *c, int ldc) {           \
		while (iters-- > 0)                                                                            \
			cblas_##s##syrk(CblasRowMajor, CblasLower, CblasNoTrans, n, k, 1, a, lda, 0, c, ldc);      \
	}

PRODUCTS(s, float)
PRODUCTS(d, double)

#define ARGMAX(s, T)                                                                                   \
	static void s##argmax_loop(long iters, int n, const T *x, volatile T *out) {                       \
		while (iters-- > 0) *out = cblas_i##s##max(n, x, 1);                                           \
	}

ARGMAX(s, float)
ARGMAX(d, double)

LOOPS(s, float)
LOOPS(d, double)

static void dsum_loop(long iters, int n, const double *x, volatile double *out) {
	while (iters-- > 0) *out = cblas_dsum(n, x, 1);
}
