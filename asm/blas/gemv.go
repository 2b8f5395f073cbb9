//go:build (amd64 || arm64) && !purego

package blas

// GemvF32 sets y[:m] = alpha A x[:n] + beta y[:m], A m-by-n with rows lda apart. y overlaps neither a nor x.
//
//	for i := range m {
//		for j := range n { s += a[i*lda+j] * x[j] }
//		y[i] = alpha * s + beta * y[i]
//	}
//
// With beta = 0 y is written and not read: a NaN there vanishes. With n = 0, an empty sum, alpha must be finite.
//
//go:noescape
func GemvF32(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32)

// GemvF64 is GemvF32 for float64.
//
//go:noescape
func GemvF64(m, n int, alpha float64, a *float64, lda int, x *float64, beta float64, y *float64)
