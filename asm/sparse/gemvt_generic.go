package sparse

import "unsafe"

// gemvtGeneric goes through the rows of a in the order of idx: each is contiguous, while its columns are not.
func gemvtGeneric[T float](n int, alpha T, a *T, lda int, idx *int32, val *T, nnz int, beta T, y *T) {
	ys, vals := unsafe.Slice(y, n), unsafe.Slice(val, nnz)
	if beta == 0 {
		clear(ys)
	} else {
		for j := range ys {
			ys[j] *= beta
		}
	}
	if n == 0 {
		return
	}
	for k, i := range unsafe.Slice(idx, nnz) {
		t := alpha * vals[k]
		for j, v := range unsafe.Slice(at(a, int(i)*lda), n) {
			ys[j] += t * v
		}
	}
}

func gemvtF32Generic(n int, alpha float32, a *float32, lda int, idx *int32, val *float32, nnz int, beta float32,
	y *float32) {
	gemvtGeneric(n, alpha, a, lda, idx, val, nnz, beta, y)
}

func gemvtF64Generic(n int, alpha float64, a *float64, lda int, idx *int32, val *float64, nnz int, beta float64,
	y *float64) {
	gemvtGeneric(n, alpha, a, lda, idx, val, nnz, beta, y)
}
