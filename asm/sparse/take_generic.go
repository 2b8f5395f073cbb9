package sparse

import "unsafe"

func takeGeneric[T, S float](dst *T, x *S, idx *int, n int) {
	to := unsafe.Slice(dst, n)
	for k, j := range unsafe.Slice(idx, n) {
		to[k] = T(*at(x, j))
	}
}

func takeF32Generic(dst, x *float32, idx *int, n int)            { takeGeneric(dst, x, idx, n) }
func takeF64Generic(dst, x *float64, idx *int, n int)            { takeGeneric(dst, x, idx, n) }
func mixedtakeGeneric(dst *float64, x *float32, idx *int, n int) { takeGeneric(dst, x, idx, n) }
