package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/math"
	"github.com/dualgap/dualgap/vec"
)

// The functions here turn inner products v[j] = <x, z_j> into kernel values in one pass. dst and nz have the length of
// v, and dst may be v.

// Gaussian sets dst[j] = exp(-gamma (nx + nz[j] - 2 v[j])), where nx = |x|² and nz[j] = |z_j|². It returns how many
// places it noted in near, in rising order: those where the difference is less than 1/16 of nx + nz[j], or NaN, and has
// lost digits. There dst is 0, and the caller sets it to exp(-gamma |x - z_j|²) from the examples themselves. near has
// room for len(v) numbers, all of which may be written.
func Gaussian[T vec.Float](dst, v, nz []T, nx, gamma T, near []int32) int {
	return gaussian(dst, v, nz, nx, gamma, 1, near, 0)
}

// GaussianAdd adds weight times what [Gaussian] computes to dst, which is 0 at the places in near.
func GaussianAdd[T vec.Float](dst, v, nz []T, nx, gamma, weight T, near []int32) int {
	return gaussian(dst, v, nz, nx, gamma, weight, near, 1)
}

func gaussian[T vec.Float](dst, v, nz []T, nx, gamma, weight T, near []int32, add int) int {
	n, places := len(v), unsafe.SliceData(near)
	if Is32[T]() {
		return math.GaussianF32(float32(nx), float32(-gamma), float32(weight), p32(v), p32(nz), p32(dst), n, places,
			add)
	}
	return math.GaussianF64(float64(nx), float64(-gamma), float64(weight), p64(v), p64(nz), p64(dst), n, places, add)
}

// Power sets dst[j] = (scale v[j] + offset)^degree for a degree of at least 1, by repeated squaring.
func Power[T vec.Float](dst, v []T, scale, offset T, degree int) {
	if Is32[T]() {
		math.PowerF32(float32(scale), float32(offset), 1, degree, p32(v), p32(dst), len(v), 0)
	} else {
		math.PowerF64(float64(scale), float64(offset), 1, degree, p64(v), p64(dst), len(v), 0)
	}
}

// PowerAdd adds weight times what [Power] computes to dst.
func PowerAdd[T vec.Float](dst, v []T, scale, offset T, degree int, weight T) {
	if Is32[T]() {
		math.PowerF32(float32(scale), float32(offset), float32(weight), degree, p32(v), p32(dst), len(v), 1)
	} else {
		math.PowerF64(float64(scale), float64(offset), float64(weight), degree, p64(v), p64(dst), len(v), 1)
	}
}
