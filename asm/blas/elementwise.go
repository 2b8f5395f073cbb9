//go:build (amd64 || arm64) && !purego

package blas

// AddF32 sets dst[:n] to x[:n] + y[:n]. dst may be x, y or both; otherwise it overlaps neither. Each sum is rounded
// once: every tier gives the same bits.
//
//	for i := range n { dst[i] = x[i] + y[i] }
//
//go:noescape
func AddF32(dst, x, y *float32, n int)

// AddF64 is AddF32 for float64.
//
//go:noescape
func AddF64(dst, x, y *float64, n int)

// MulF32 sets dst[:n] to the products x[:n] y[:n], element by element, where AddF32 has sums.
//
//	for i := range n { dst[i] = x[i] * y[i] }
//
//go:noescape
func MulF32(dst, x, y *float32, n int)

// MulF64 is MulF32 for float64.
//
//go:noescape
func MulF64(dst, x, y *float64, n int)

// SqrtF32 sets dst[:n] to the square roots of x[:n], NaN below 0 and -0 of -0. dst may be x. Each root is rounded once:
// every tier gives the same bits.
//
//	for i := range n { dst[i] = float32(math.Sqrt(float64(x[i]))) }
//
//go:noescape
func SqrtF32(dst, x *float32, n int)

// SqrtF64 is SqrtF32 for float64.
//
//go:noescape
func SqrtF64(dst, x *float64, n int)
