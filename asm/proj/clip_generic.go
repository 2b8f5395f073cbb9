package proj

import "unsafe"

func clipGeneric[T float](dst, a *T, n int, c, t, l, u float64) {
	out := unsafe.Slice(dst, n)
	for i, v := range unsafe.Slice(a, n) {
		x := (float64(v) - c) - t
		if x < l {
			x = l
		}
		if x > u {
			x = u
		}
		out[i] = T(x)
	}
}

func clipF32Generic(dst, a *float32, n int, skip float32, c, t, l, u float64) {
	clipGeneric(dst, a, n, c, t, l, u)
}
func clipF64Generic(dst, a *float64, n int, skip float64, c, t, l, u float64) {
	clipGeneric(dst, a, n, c, t, l, u)
}
