// Package plainc has kernels as a C program would have them, compiled for this very CPU: what a rival is worth where no
// library has the kernel. Each call loops over iters runs in C.
package plainc

/*
#cgo CFLAGS: -O3 -march=native
#cgo LDFLAGS: -lm
#define DECLARE(s, T, v)                                                                                          \
	void s##add_##v(long iters, long n, T *dst, const T *x, const T *y);                                           \
	void s##mul_##v(long iters, long n, T *dst, const T *x, const T *y);                                           \
	void s##sqrt_##v(long iters, long n, T *dst, const T *x);                                                      \
	void s##max_##v(long iters, long n, const T *x, volatile T *out);                                              \
	void s##argmax_##v(long iters, long n, const T *x, volatile T *out);                                           \
	void s##sumabove_##v(long iters, long n, const T *x, T t, volatile T *out);                                    \
	void s##filter_##v(long iters, long n, const T *x, T t, T *val, int32_t *idx, volatile T *out);                \
	void s##clip_##v(long iters, long n, T *dst, const T *x, T lo, T hi);                                          \
	void s##dot_##v(long iters, const int32_t *idx, const T *val, long nnz, const T *x, volatile T *out);          \
	void s##axpy_##v(long iters, T alpha, const int32_t *idx, const T *val, long nnz, T *y);                       \
	void s##gemvt_##v(long iters, long n, const T *a, const int32_t *idx, const T *val, long nnz, T *y);           \
	void s##ger_##v(long iters, T alpha, const int32_t *idx, const T *val, long nnz, const T *y, long n, T *a);
#include <stdint.h>
DECLARE(f, float, strict)
DECLARE(d, double, strict)
DECLARE(f, float, fast)
DECLARE(d, double, fast)
*/
import "C"
import "unsafe"

// Float is the element of vectors.
type Float interface{ float32 | float64 }

func is32[T Float]() bool { return unsafe.Sizeof(*new(T)) == 4 }

func f32[T Float](x []T) *C.float   { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
func f64[T Float](x []T) *C.double  { return (*C.double)(unsafe.Pointer(unsafe.SliceData(x))) }
func out32[T Float](x *T) *C.float  { return (*C.float)(unsafe.Pointer(x)) }
func out64[T Float](x *T) *C.double { return (*C.double)(unsafe.Pointer(x)) }
func i32(x []int32) *C.int32_t      { return (*C.int32_t)(unsafe.SliceData(x)) }

// The functions with Fast in their names are compiled with -ffast-math.

func Add[T Float](iters int, dst, x, y []T) {
	if is32[T]() {
		C.fadd_strict(C.long(iters), C.long(len(x)), f32(dst), f32(x), f32(y))
	} else {
		C.dadd_strict(C.long(iters), C.long(len(x)), f64(dst), f64(x), f64(y))
	}
}

func Mul[T Float](iters int, dst, x, y []T) {
	if is32[T]() {
		C.fmul_strict(C.long(iters), C.long(len(x)), f32(dst), f32(x), f32(y))
	} else {
		C.dmul_strict(C.long(iters), C.long(len(x)), f64(dst), f64(x), f64(y))
	}
}

func Sqrt[T Float](iters int, dst, x []T) {
	if is32[T]() {
		C.fsqrt_strict(C.long(iters), C.long(len(x)), f32(dst), f32(x))
	} else {
		C.dsqrt_strict(C.long(iters), C.long(len(x)), f64(dst), f64(x))
	}
}

func Max[T Float](iters int, x []T, out *T) {
	if is32[T]() {
		C.fmax_strict(C.long(iters), C.long(len(x)), f32(x), out32(out))
	} else {
		C.dmax_strict(C.long(iters), C.long(len(x)), f64(x), out64(out))
	}
}

func ArgMax[T Float](iters int, x []T, out *T) {
	if is32[T]() {
		C.fargmax_strict(C.long(iters), C.long(len(x)), f32(x), out32(out))
	} else {
		C.dargmax_strict(C.long(iters), C.long(len(x)), f64(x), out64(out))
	}
}

func SumAbove[T Float](iters int, x []T, t T, out *T) {
	if is32[T]() {
		C.fsumabove_strict(C.long(iters), C.long(len(x)), f32(x), C.float(t), out32(out))
	} else {
		C.dsumabove_strict(C.long(iters), C.long(len(x)), f64(x), C.double(t), out64(out))
	}
}

func Filter[T Float](iters int, x []T, t T, val []T, idx []int32, out *T) {
	if is32[T]() {
		C.ffilter_strict(C.long(iters), C.long(len(x)), f32(x), C.float(t), f32(val), i32(idx), out32(out))
	} else {
		C.dfilter_strict(C.long(iters), C.long(len(x)), f64(x), C.double(t), f64(val), i32(idx), out64(out))
	}
}

func Clip[T Float](iters int, dst, x []T, lo, hi T) {
	if is32[T]() {
		C.fclip_strict(C.long(iters), C.long(len(x)), f32(dst), f32(x), C.float(lo), C.float(hi))
	} else {
		C.dclip_strict(C.long(iters), C.long(len(x)), f64(dst), f64(x), C.double(lo), C.double(hi))
	}
}

func SparseDot[T Float](iters int, idx []int32, val, x []T, out *T) {
	if is32[T]() {
		C.fdot_strict(C.long(iters), i32(idx), f32(val), C.long(len(val)), f32(x), out32(out))
	} else {
		C.ddot_strict(C.long(iters), i32(idx), f64(val), C.long(len(val)), f64(x), out64(out))
	}
}

func SparseAxpy[T Float](iters int, alpha T, idx []int32, val, y []T) {
	if is32[T]() {
		C.faxpy_strict(C.long(iters), C.float(alpha), i32(idx), f32(val), C.long(len(val)), f32(y))
	} else {
		C.daxpy_strict(C.long(iters), C.double(alpha), i32(idx), f64(val), C.long(len(val)), f64(y))
	}
}

func SparseGemvT[T Float](iters int, a []T, idx []int32, val, y []T) {
	if is32[T]() {
		C.fgemvt_strict(C.long(iters), C.long(len(y)), f32(a), i32(idx), f32(val), C.long(len(val)), f32(y))
	} else {
		C.dgemvt_strict(C.long(iters), C.long(len(y)), f64(a), i32(idx), f64(val), C.long(len(val)), f64(y))
	}
}

func SparseGer[T Float](iters int, alpha T, idx []int32, val, y, a []T) {
	if is32[T]() {
		C.fger_strict(C.long(iters), C.float(alpha), i32(idx), f32(val), C.long(len(val)), f32(y), C.long(len(y)),
			f32(a))
	} else {
		C.dger_strict(C.long(iters), C.double(alpha), i32(idx), f64(val), C.long(len(val)), f64(y), C.long(len(y)),
			f64(a))
	}
}

func MaxFast[T Float](iters int, x []T, out *T) {
	if is32[T]() {
		C.fmax_fast(C.long(iters), C.long(len(x)), f32(x), out32(out))
	} else {
		C.dmax_fast(C.long(iters), C.long(len(x)), f64(x), out64(out))
	}
}

func ArgMaxFast[T Float](iters int, x []T, out *T) {
	if is32[T]() {
		C.fargmax_fast(C.long(iters), C.long(len(x)), f32(x), out32(out))
	} else {
		C.dargmax_fast(C.long(iters), C.long(len(x)), f64(x), out64(out))
	}
}

func SumAboveFast[T Float](iters int, x []T, t T, out *T) {
	if is32[T]() {
		C.fsumabove_fast(C.long(iters), C.long(len(x)), f32(x), C.float(t), out32(out))
	} else {
		C.dsumabove_fast(C.long(iters), C.long(len(x)), f64(x), C.double(t), out64(out))
	}
}

func SparseDotFast[T Float](iters int, idx []int32, val, x []T, out *T) {
	if is32[T]() {
		C.fdot_fast(C.long(iters), i32(idx), f32(val), C.long(len(val)), f32(x), out32(out))
	} else {
		C.ddot_fast(C.long(iters), i32(idx), f64(val), C.long(len(val)), f64(x), out64(out))
	}
}

func SparseGemvTFast[T Float](iters int, a []T, idx []int32, val, y []T) {
	if is32[T]() {
		C.fgemvt_fast(C.long(iters), C.long(len(y)), f32(a), i32(idx), f32(val), C.long(len(val)), f32(y))
	} else {
		C.dgemvt_fast(C.long(iters), C.long(len(y)), f64(a), i32(idx), f64(val), C.long(len(val)), f64(y))
	}
}
