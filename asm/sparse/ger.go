//go:build (amd64 || arm64) && !purego

package sparse

// GerF32 adds alpha x yᵀ to the matrix a of n columns, row i of which begins at a[i*lda], for a sparse x.
//
//	for k := range nnz { for j := range n { a[idx[k]*lda + j] += alpha * val[k] * y[j] } }
//
//go:noescape
func GerF32(alpha float32, idx *int32, val *float32, nnz int, y *float32, n int, a *float32, lda int)

// GerF64 is GerF32 for float64.
//
//go:noescape
func GerF64(alpha float64, idx *int32, val *float64, nnz int, y *float64, n int, a *float64, lda int)
