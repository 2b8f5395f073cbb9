//go:build !(amd64 || arm64) || purego

package blas

// Kept out of line as the kernels of one element type are, and for the same reason: see noasm.go.

//go:noinline
func MixedDot(x *float32, y *float64, n int) float64 { return mixeddotGeneric(x, y, n) }

//go:noinline
func MixedAxpy(alpha float64, x *float32, y *float64, n int) { mixedaxpyGeneric(alpha, x, y, n) }

//go:noinline
func MixedGemv(m, n int, alpha float64, a *float32, lda int, x *float64, beta float64, y *float64) {
	mixedgemvGeneric(m, n, alpha, a, lda, x, beta, y)
}

//go:noinline
func MixedGemvT(m, n int, alpha float64, a *float32, lda int, x *float64, beta float64, y *float64) {
	mixedgemvtGeneric(m, n, alpha, a, lda, x, beta, y)
}
