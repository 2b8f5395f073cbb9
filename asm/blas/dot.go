//go:build (amd64 || arm64) && !purego

package blas

// DotF32 returns the inner product of x[:n] and y[:n].
//
//	for i := range n { sum += x[i] * y[i] }
//
//go:noescape
func DotF32(x, y *float32, n int) float32

// DotF64 is DotF32 for float64.
//
//go:noescape
func DotF64(x, y *float64, n int) float64
