// Kernels as a C program has them, one loop each, for float (f) and double (d). NAME adds what tells builds of them apart.

#include <math.h>
#include <stdint.h>

#define root_f sqrtf
#define root_d sqrt

// A compiler that sees that every call writes the same would make them one, or swap the two loops.
#define CALL_ENDS __asm__ volatile("" ::: "memory")

#define LOOPS(s, T)                                                                                                     \
	void NAME(s, add)(long iters, long n, T *restrict dst, const T *x, const T *y) {                                     \
		while (iters-- > 0) {                                                                                            \
			for (long i = 0; i < n; i++) dst[i] = x[i] + y[i];                                                           \
			CALL_ENDS;                                                                                                   \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, mul)(long iters, long n, T *restrict dst, const T *x, const T *y) {                                     \
		while (iters-- > 0) {                                                                                            \
			for (long i = 0; i < n; i++) dst[i] = x[i] * y[i];                                                           \
			CALL_ENDS;                                                                                                   \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, sqrt)(long iters, long n, T *restrict dst, const T *x) {                                                \
		while (iters-- > 0) {                                                                                            \
			for (long i = 0; i < n; i++) dst[i] = root_##s(x[i]);                                                        \
			CALL_ENDS;                                                                                                   \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, max)(long iters, long n, const T *x, volatile T *out) {                                                 \
		while (iters-- > 0) {                                                                                            \
			T m = x[0];                                                                                                  \
			for (long i = 1; i < n; i++) m = x[i] > m ? x[i] : m;                                                        \
			*out = m;                                                                                                    \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, argmax)(long iters, long n, const T *x, volatile T *out) {                                              \
		while (iters-- > 0) {                                                                                            \
			long arg = 0;                                                                                                \
			for (long i = 1; i < n; i++) arg = x[i] > x[arg] ? i : arg;                                                  \
			*out = arg;                                                                                                  \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, sumabove)(long iters, long n, const T *x, T t, volatile T *out) {                                       \
		while (iters-- > 0) {                                                                                            \
			T sum = 0;                                                                                                   \
			int count = 0;                                                                                               \
			for (long i = 0; i < n; i++) {                                                                               \
				sum += x[i] > t ? x[i] - t : 0;                                                                          \
				count += x[i] > t;                                                                                       \
			}                                                                                                            \
			*out = sum + count;                                                                                          \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, filter)(long iters, long n, const T *x, T t, T *restrict val, int32_t *restrict idx, volatile T *out) { \
		while (iters-- > 0) {                                                                                            \
			long count = 0;                                                                                              \
			for (long i = 0; i < n; i++) {                                                                               \
				val[count] = x[i];                                                                                       \
				idx[count] = i;                                                                                          \
				count += x[i] > t;                                                                                       \
			}                                                                                                            \
			*out = count;                                                                                                \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, clip)(long iters, long n, T *restrict dst, const T *restrict x, T lo, T hi) {                           \
		while (iters-- > 0) {                                                                                            \
			for (long i = 0; i < n; i++) {                                                                               \
				T v = x[i] < lo ? lo : x[i];                                                                             \
				dst[i] = v > hi ? hi : v;                                                                                \
			}                                                                                                            \
			CALL_ENDS;                                                                                                   \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, dot)(long iters, const int32_t *idx, const T *val, long nnz, const T *x, volatile T *out) {             \
		while (iters-- > 0) {                                                                                            \
			T sum = 0;                                                                                                   \
			for (long k = 0; k < nnz; k++) sum += val[k] * x[idx[k]];                                                    \
			*out = sum;                                                                                                  \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, axpy)(long iters, T alpha, const int32_t *idx, const T *val, long nnz, T *restrict y) {                 \
		while (iters-- > 0)                                                                                              \
			for (long k = 0; k < nnz; k++) y[idx[k]] += alpha * val[k];                                                  \
	}                                                                                                                    \
	void NAME(s, gemvt)(long iters, long n, const T *a, const int32_t *idx, const T *val, long nnz, T *restrict y) {     \
		while (iters-- > 0) {                                                                                            \
			for (long j = 0; j < n; j++) y[j] = 0;                                                                       \
			for (long k = 0; k < nnz; k++) {                                                                             \
				const T *row = a + idx[k] * n;                                                                           \
				for (long j = 0; j < n; j++) y[j] += val[k] * row[j];                                                    \
			}                                                                                                            \
		}                                                                                                                \
	}                                                                                                                    \
	void NAME(s, ger)(long iters, T alpha, const int32_t *idx, const T *val, long nnz, const T *restrict y, long n,      \
	                  T *restrict a) {                                                                                   \
		while (iters-- > 0)                                                                                              \
			for (long k = 0; k < nnz; k++) {                                                                             \
				T *row = a + idx[k] * n;                                                                                 \
				for (long j = 0; j < n; j++) row[j] += alpha * val[k] * y[j];                                            \
			}                                                                                                            \
	}

LOOPS(f, float)
LOOPS(d, double)
