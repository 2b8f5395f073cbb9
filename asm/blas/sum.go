//go:build (amd64 || arm64) && !purego

package blas

// SumF32 returns the sum of x[:n].
//
//	for i := range n { sum += x[i] }
//
//go:noescape
func SumF32(x *float32, n int) float32

// SumF64 is SumF32 for float64.
//
//go:noescape
func SumF64(x *float64, n int) float64
