package proj

import "unsafe"

func aboveGeneric[T float](dst, a *T, n int, t T) int {
	out, m := unsafe.Slice(dst, n), 0
	for _, v := range unsafe.Slice(a, n) {
		if !(v < t) {
			out[m] = v
			m++
		}
	}
	return m
}

func aboveF32Generic(dst, a *float32, n int, t float32) int { return aboveGeneric(dst, a, n, t) }
func aboveF64Generic(dst, a *float64, n int, t float64) int { return aboveGeneric(dst, a, n, t) }
