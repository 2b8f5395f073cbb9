//go:build (amd64 || arm64) && !purego

package blas

// MixedDot returns the inner product of x[:n] and y[:n] in float64.
//
//	for i := range n { sum += float64(x[i]) * y[i] }
//
//go:noescape
func MixedDot(x *float32, y *float64, n int) float64

// MixedAxpy adds alpha x[:n] to y[:n]. x and y do not overlap.
//
//	for i := range n { y[i] += alpha * float64(x[i]) }
//
//go:noescape
func MixedAxpy(alpha float64, x *float32, y *float64, n int)

// MixedGemv sets y[:m] = alpha A x[:n] + beta y[:m], A m-by-n with rows lda apart. y overlaps neither a nor x.
//
//	for i := range m {
//		for j := range n { s += float64(a[i*lda+j]) * x[j] }
//		y[i] = alpha * s + beta * y[i]
//	}
//
// With beta = 0 y is written and not read: a NaN there vanishes. With n = 0, an empty sum, alpha must be finite.
//
//go:noescape
func MixedGemv(m, n int, alpha float64, a *float32, lda int, x *float64, beta float64, y *float64)

// MixedGemvT sets y[:n] = alpha Aᵀ x[:m] + beta y[:n], A m-by-n with rows lda apart. y overlaps neither a nor x.
//
//	for j := range n {
//		for i := range m { s += float64(a[i*lda+j]) * x[i] }
//		y[j] = alpha * s + beta * y[j]
//	}
//
// With beta = 0 y is written and not read: a NaN there vanishes. With m = 0, an empty sum, alpha must be finite.
//
//go:noescape
func MixedGemvT(m, n int, alpha float64, a *float32, lda int, x *float64, beta float64, y *float64)
