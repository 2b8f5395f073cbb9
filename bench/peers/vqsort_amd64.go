package main

/*
#cgo LDFLAGS: -lhwy_contrib -lhwy
void vqsort_f32(long iters, int n, int turns, int at, const float *from, float *x);
void vqsort_f64(long iters, int n, int turns, int at, const double *from, double *x);
void vqsort_avx2_only(int on);
*/
import "C"

// vqsort joins twice: with the target that Highway chooses, and held to AVX2, which is the faster one where compressing
// to memory is slow.
func init() {
	for avx2, name := range []string{"vqsort", "vqsort-avx2"} {
		avx2 := C.int(avx2)
		libraries32 = append(libraries32, library[float32]{name, map[string]loop[float32]{
			"Sort": func(p *operands[float32], iters int) {
				C.vqsort_avx2_only(avx2)
				C.vqsort_f32(C.long(iters), C.int(len(p.X)), C.int(p.Turns), C.int(p.At), c32(p.Y), c32(p.X))
				p.At = (p.At + iters) % p.Turns
			},
		}})
		libraries64 = append(libraries64, library[float64]{name, map[string]loop[float64]{
			"Sort": func(p *operands[float64], iters int) {
				C.vqsort_avx2_only(avx2)
				C.vqsort_f64(C.long(iters), C.int(len(p.X)), C.int(p.Turns), C.int(p.At), c64(p.Y), c64(p.X))
				p.At = (p.At + iters) % p.Turns
			},
		}})
	}
}
