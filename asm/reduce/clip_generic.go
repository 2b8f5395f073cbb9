package reduce

import "unsafe"

func clipGeneric[T float](dst, x *T, n int, lo, hi T) {
	to := unsafe.Slice(dst, n)
	for i, v := range unsafe.Slice(x, n) {
		if v < lo {
			v = lo
		}
		if v > hi {
			v = hi
		}
		to[i] = v
	}
}

func clipF32Generic(dst, x *float32, n int, lo, hi float32) { clipGeneric(dst, x, n, lo, hi) }
func clipF64Generic(dst, x *float64, n int, lo, hi float64) { clipGeneric(dst, x, n, lo, hi) }
