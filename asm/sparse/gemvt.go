//go:build (amd64 || arm64) && !purego

package sparse

// GemvTF32 sets y = alpha Aᵀ x + beta y for the matrix a of n columns, row i of which begins at a[i*lda], and a sparse
// x. With beta = 0 the old y is not read.
//
//	for j := range n { y[j] = alpha * Σ_k val[k] * a[idx[k]*lda + j] + beta * y[j] }
//
//go:noescape
func GemvTF32(n int, alpha float32, a *float32, lda int, idx *int32, val *float32, nnz int, beta float32, y *float32)

// GemvTF64 is GemvTF32 for float64.
//
//go:noescape
func GemvTF64(n int, alpha float64, a *float64, lda int, idx *int32, val *float64, nnz int, beta float64, y *float64)
