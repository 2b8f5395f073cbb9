package blas

import "unsafe"

func castGeneric[S, D float](x *S, y *D, n int) {
	to := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		to[i] = D(v)
	}
}

func castF32Generic(x *float32, y *float64, n int) { castGeneric(x, y, n) }
func castF64Generic(x *float64, y *float32, n int) { castGeneric(x, y, n) }
