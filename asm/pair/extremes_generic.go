package pair

import (
	"math"
	"unsafe"
)

func extremesF64Generic(f, x *float64, n int, p, lo, hi float64) (least float64, at int, most float64) {
	least, at, most = math.Inf(1), -1, math.Inf(-1)
	scores := unsafe.Slice(f, n)
	for l, v := range unsafe.Slice(x, n) {
		g := scores[l] + float64(p*v)
		if v < hi && g < least {
			least, at = g, l
		}
		if v > lo && g > most {
			most = g
		}
	}
	return least, at, most
}
