package pair

import (
	"math"
	"unsafe"
)

func projectF64Generic(dst, slope, x, end *float64, n int) (at int, most float64) {
	out, xs, ends := unsafe.Slice(dst, n), unsafe.Slice(x, n), unsafe.Slice(end, n)
	at = -1
	for l, v := range unsafe.Slice(slope, n) {
		stop := min(ends[l], 0)
		if v > 0 {
			stop = max(ends[l], 0)
		}
		if xs[l] == stop {
			v = 0
		}
		out[l] = v
		if size := math.Abs(v); size > most {
			at, most = l, size
		}
	}
	return at, most
}
