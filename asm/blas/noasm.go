//go:build !(amd64 || arm64) || purego

package blas

// Without assembly each kernel is its twin. Those whose wrappers in package vec inline are kept out of line: inlined,
// they would make the wrappers too large, and the buffers of vec's callers escape to the heap. So would the operands of
// the callers of SqNorm, Ger, Gemv and GemvT.

//go:noinline
func DotF32(x, y *float32, n int) float32 { return dotGeneric(x, y, n) }

//go:noinline
func DotF64(x, y *float64, n int) float64 { return dotGeneric(x, y, n) }

//go:noinline
func SqDistF32(x, y *float32, n int) float32 { return sqdistGeneric(x, y, n) }

//go:noinline
func SqDistF64(x, y *float64, n int) float64 { return sqdistGeneric(x, y, n) }

//go:noinline
func SqNormF32(x *float32, n int) float32 { return sqnormGeneric(x, n) }

//go:noinline
func SqNormF64(x *float64, n int) float64 { return sqnormGeneric(x, n) }

func SumF32(x *float32, n int) float32            { return sumGeneric(x, n) }
func SumF64(x *float64, n int) float64            { return sumGeneric(x, n) }
func AbsSumF32(x *float32, n int) float32         { return abssumGeneric(x, n) }
func AbsSumF64(x *float64, n int) float64         { return abssumGeneric(x, n) }
func ScalF32(alpha float32, x *float32, n int)    { scalGeneric(alpha, x, n) }
func ScalF64(alpha float64, x *float64, n int)    { scalGeneric(alpha, x, n) }
func AxpyF32(alpha float32, x, y *float32, n int) { axpyGeneric(alpha, x, y, n) }
func AxpyF64(alpha float64, x, y *float64, n int) { axpyGeneric(alpha, x, y, n) }
func AddF32(dst, x, y *float32, n int)            { addGeneric(dst, x, y, n) }
func AddF64(dst, x, y *float64, n int)            { addGeneric(dst, x, y, n) }
func MulF32(dst, x, y *float32, n int)            { mulGeneric(dst, x, y, n) }
func MulF64(dst, x, y *float64, n int)            { mulGeneric(dst, x, y, n) }
func SqrtF32(dst, x *float32, n int)              { sqrtGeneric(dst, x, n) }
func SqrtF64(dst, x *float64, n int)              { sqrtGeneric(dst, x, n) }

//go:noinline
func GerF32(m, n int, alpha float32, x, y, a *float32, lda int) {
	gerGeneric(m, n, alpha, x, y, a, lda)
}

//go:noinline
func GerF64(m, n int, alpha float64, x, y, a *float64, lda int) {
	gerGeneric(m, n, alpha, x, y, a, lda)
}

//go:noinline
func GemvF32(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32) {
	gemvGeneric(m, n, alpha, a, lda, x, beta, y)
}

//go:noinline
func GemvF64(m, n int, alpha float64, a *float64, lda int, x *float64, beta float64, y *float64) {
	gemvGeneric(m, n, alpha, a, lda, x, beta, y)
}

//go:noinline
func GemvTF32(m, n int, alpha float32, a *float32, lda int, x *float32, beta float32, y *float32) {
	gemvtGeneric(m, n, alpha, a, lda, x, beta, y)
}

//go:noinline
func GemvTF64(m, n int, alpha float64, a *float64, lda int, x *float64, beta float64, y *float64) {
	gemvtGeneric(m, n, alpha, a, lda, x, beta, y)
}

func RotsF32(m, n int, c, s, a *float32, lda int) { rotsGeneric(m, n, c, s, a, lda) }
func RotsF64(m, n int, c, s, a *float64, lda int) { rotsGeneric(m, n, c, s, a, lda) }
