//go:build !(amd64 || arm64) || purego

package sparse

// Without assembly each kernel is its twin. They are kept out of line: inlined into vec's checks they would make
// buffers of its callers escape to the heap.

//go:noinline
func GemvTF32(n int, alpha float32, a *float32, lda int, idx *int32, val *float32, nnz int, beta float32, y *float32) {
	gemvtGeneric(n, alpha, a, lda, idx, val, nnz, beta, y)
}

//go:noinline
func GemvTF64(n int, alpha float64, a *float64, lda int, idx *int32, val *float64, nnz int, beta float64, y *float64) {
	gemvtGeneric(n, alpha, a, lda, idx, val, nnz, beta, y)
}

//go:noinline
func GerF32(alpha float32, idx *int32, val *float32, nnz int, y *float32, n int, a *float32, lda int) {
	gerGeneric(alpha, idx, val, nnz, y, n, a, lda)
}

//go:noinline
func GerF64(alpha float64, idx *int32, val *float64, nnz int, y *float64, n int, a *float64, lda int) {
	gerGeneric(alpha, idx, val, nnz, y, n, a, lda)
}

//go:noinline
func TakeF32(dst, x *float32, idx *int, n int) { takeGeneric(dst, x, idx, n) }

//go:noinline
func TakeF64(dst, x *float64, idx *int, n int) { takeGeneric(dst, x, idx, n) }

//go:noinline
func MixedTake(dst *float64, x *float32, idx *int, n int) { takeGeneric(dst, x, idx, n) }

//go:noinline
func MaxIndex(idx *int32, nnz int) uint32 { return maxindexGeneric(idx, nnz) }
