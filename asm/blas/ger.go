//go:build (amd64 || arm64) && !purego

package blas

// GerF32 adds alpha x yᵀ to the m-by-n matrix a, whose rows are lda apart. a overlaps neither x nor y.
//
//	for i := range m { for j := range n { a[i*lda+j] += alpha * x[i] * y[j] } }
//
// The product alpha * x[i] is rounded before it meets y[j].
//
//go:noescape
func GerF32(m, n int, alpha float32, x, y, a *float32, lda int)

// GerF64 is GerF32 for float64.
//
//go:noescape
func GerF64(m, n int, alpha float64, x, y, a *float64, lda int)
