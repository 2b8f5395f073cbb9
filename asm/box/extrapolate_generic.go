package box

import "unsafe"

func extrapolateF32Generic(w, last *float32, n int, beta float32) (before, after float64) {
	return extrapolateGeneric(w, last, n, beta)
}

func extrapolateF64Generic(w, last *float64, n int, beta float64) (before, after float64) {
	return extrapolateGeneric(w, last, n, beta)
}

func extrapolateGeneric[T float](wp, lastp *T, n int, beta T) (before, after float64) {
	w, last := unsafe.Slice(wp, n), unsafe.Slice(lastp, n)
	for j, v := range w {
		x := v + T(beta*(v-last[j])) // not fused
		w[j], last[j] = x, v
		before += float64(v) * float64(v)
		after += float64(x) * float64(x)
	}
	return before, after
}

func extrapolaterowsF32Generic(a, last, free *float32, lda, ldl, m, n int, beta float32, most *float32,
	moved *uint8) (rows int) {
	return extrapolateRowsGeneric(a, last, free, lda, ldl, m, n, beta, most, moved, 0x1p-22)
}

func extrapolaterowsF64Generic(a, last, free *float64, lda, ldl, m, n int, beta float64, most *float64,
	moved *uint8) (rows int) {
	return extrapolateRowsGeneric(a, last, free, lda, ldl, m, n, beta, most, moved, 0x1p-51)
}

func extrapolateRowsGeneric[T float](ap, lastp, freep *T, lda, ldl, m, n int, beta T, mostp *T, movedp *uint8,
	unit T) (rows int) {
	free, most, moved := unsafe.Slice(freep, m), unsafe.Slice(mostp, m), unsafe.Slice(movedp, n)
	for i := range n {
		a := unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(ap), uintptr(i*lda)*unsafe.Sizeof(*ap))), m)
		last := unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(lastp), uintptr(i*ldl)*unsafe.Sizeof(*lastp))), m)
		moved[i] = Still
		for j, v := range a {
			if v != last[j] {
				moved[i] = Inside
			}
		}
		if moved[i] == Still {
			continue
		}
		for j, v := range a {
			x := v + T(beta*(v-last[j])) // not fused
			lo, hi := T(0), T(0)
			if v < 0 || last[j] < 0 {
				lo = 0 - most[j]
			}
			if v > 0 || last[j] > 0 {
				hi = most[j]
			}
			free[j], last[j], a[j] = x, v, clip(x, lo, hi)
			if !(abs(a[j]-x) <= unit*abs(x)) {
				moved[i] = Clipped
			}
		}
		if moved[i] == Clipped {
			return i + 1
		}
	}
	return n
}

func abs[T float](v T) T { return max(v, -v) }
