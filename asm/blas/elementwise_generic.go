package blas

import (
	"math"
	"unsafe"
)

func addGeneric[T float](dst, x, y *T, n int) {
	to, ys := unsafe.Slice(dst, n), unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		to[i] = v + ys[i]
	}
}

func mulGeneric[T float](dst, x, y *T, n int) {
	to, ys := unsafe.Slice(dst, n), unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		to[i] = v * ys[i]
	}
}

// A float32 root by way of float64 is rounded as if once: float64 has more than 2*24 + 2 bits (Figueroa, 1995).
func sqrtGeneric[T float](dst, x *T, n int) {
	to := unsafe.Slice(dst, n)
	for i, v := range unsafe.Slice(x, n) {
		to[i] = T(math.Sqrt(float64(v)))
	}
}

func addF32Generic(dst, x, y *float32, n int) { addGeneric(dst, x, y, n) }
func addF64Generic(dst, x, y *float64, n int) { addGeneric(dst, x, y, n) }
func mulF32Generic(dst, x, y *float32, n int) { mulGeneric(dst, x, y, n) }
func mulF64Generic(dst, x, y *float64, n int) { mulGeneric(dst, x, y, n) }
func sqrtF32Generic(dst, x *float32, n int)   { sqrtGeneric(dst, x, n) }
func sqrtF64Generic(dst, x *float64, n int)   { sqrtGeneric(dst, x, n) }
