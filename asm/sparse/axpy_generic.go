package sparse

import "unsafe"

func axpyGeneric[S, T float](alpha T, idx *int32, val *S, nnz int, y *T) {
	vals := unsafe.Slice(val, nnz)
	for k, j := range unsafe.Slice(idx, nnz) {
		*at(y, int(j)) += alpha * T(vals[k])
	}
}

func axpyF32Generic(alpha float32, idx *int32, val *float32, nnz int, y *float32) {
	axpyGeneric(alpha, idx, val, nnz, y)
}

func axpyF64Generic(alpha float64, idx *int32, val *float64, nnz int, y *float64) {
	axpyGeneric(alpha, idx, val, nnz, y)
}

func mixedaxpyGeneric(alpha float64, idx *int32, val *float32, nnz int, y *float64) {
	axpyGeneric(alpha, idx, val, nnz, y)
}
