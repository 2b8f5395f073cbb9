package main

/*
#cgo LDFLAGS: -lsleef
void expf_avx512(long iters, int n, const float *x, float *y);
void logf_avx512(long iters, int n, const float *x, float *y);
void expd_avx512(long iters, int n, const double *x, double *y);
void logd_avx512(long iters, int n, const double *x, double *y);
void expf_avx2(long iters, int n, const float *x, float *y);
void logf_avx2(long iters, int n, const float *x, float *y);
void expd_avx2(long iters, int n, const double *x, double *y);
void logd_avx2(long iters, int n, const double *x, double *y);
*/
import "C"
import "github.com/dualgap/dualgap/asm/cpu"

// SLEEF joins with the functions for the tier that ours run on; beside pure Go it runs its AVX2 functions.
func init() {
	libraries32 = append(libraries32, library[float32]{"sleef", sleef32})
	libraries64 = append(libraries64, library[float64]{"sleef", sleef64})
}

var sleef32 = map[string]loop[float32]{
	"Exp": func(p *operands[float32], iters int) {
		if cpu.Level == cpu.AVX512 {
			C.expf_avx512(C.long(iters), C.int(len(p.X)), c32(p.X), c32(p.Y))
		} else {
			C.expf_avx2(C.long(iters), C.int(len(p.X)), c32(p.X), c32(p.Y))
		}
	},
	"Log": func(p *operands[float32], iters int) {
		if cpu.Level == cpu.AVX512 {
			C.logf_avx512(C.long(iters), C.int(len(p.X)), c32(p.X), c32(p.Y))
		} else {
			C.logf_avx2(C.long(iters), C.int(len(p.X)), c32(p.X), c32(p.Y))
		}
	},
}

var sleef64 = map[string]loop[float64]{
	"Exp": func(p *operands[float64], iters int) {
		if cpu.Level == cpu.AVX512 {
			C.expd_avx512(C.long(iters), C.int(len(p.X)), c64(p.X), c64(p.Y))
		} else {
			C.expd_avx2(C.long(iters), C.int(len(p.X)), c64(p.X), c64(p.Y))
		}
	},
	"Log": func(p *operands[float64], iters int) {
		if cpu.Level == cpu.AVX512 {
			C.logd_avx512(C.long(iters), C.int(len(p.X)), c64(p.X), c64(p.Y))
		} else {
			C.logd_avx2(C.long(iters), C.int(len(p.X)), c64(p.X), c64(p.Y))
		}
	},
}
