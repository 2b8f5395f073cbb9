//go:build (amd64 || arm64) && !purego

package blas

// GemvTF32 sets y[:n] = alpha Aᵀ x[:m] + beta y[:n], A m-by-n with rows lda apart. y overlaps neither a nor x.
//
//	for j := range n {
//		for i := range m { s += a[i*lda+j] * x[i] }
//		y[j] = alpha * s + beta * y[j]
//	}
//
// With beta = 0 y is written and not read: a NaN there vanishes. With m = 0, an empty sum, alpha must be finite.
//
//go:noescape
func GemvTF32(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32)

// GemvTF64 is GemvTF32 for float64.
//
//go:noescape
func GemvTF64(m, n int, alpha float64, a *float64, lda int, x *float64, beta float64, y *float64)
