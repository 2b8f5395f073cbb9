package sparse

import "unsafe"

func gerGeneric[T float](alpha T, idx *int32, val *T, nnz int, y *T, n int, a *T, lda int) {
	if n == 0 {
		return
	}
	ys, vals := unsafe.Slice(y, n), unsafe.Slice(val, nnz)
	for k, i := range unsafe.Slice(idx, nnz) {
		t := alpha * vals[k]
		row := unsafe.Slice(at(a, int(i)*lda), n)
		for j, v := range ys {
			row[j] += t * v
		}
	}
}

func gerF32Generic(alpha float32, idx *int32, val *float32, nnz int, y *float32, n int, a *float32, lda int) {
	gerGeneric(alpha, idx, val, nnz, y, n, a, lda)
}

func gerF64Generic(alpha float64, idx *int32, val *float64, nnz int, y *float64, n int, a *float64, lda int) {
	gerGeneric(alpha, idx, val, nnz, y, n, a, lda)
}
