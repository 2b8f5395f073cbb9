//go:build (amd64 || arm64) && !purego

package blas

// SqNormF32 returns the squared norm of x[:n].
//
//	for i := range n { sum += x[i] * x[i] }
//
//go:noescape
func SqNormF32(x *float32, n int) float32

// SqNormF64 is SqNormF32 for float64.
//
//go:noescape
func SqNormF64(x *float64, n int) float64
