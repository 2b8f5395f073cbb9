//go:build (amd64 || arm64) && !purego

package blas

// AbsSumF32 returns the sum of absolute values of x[:n].
//
//	for i := range n { sum += |x[i]| }
//
//go:noescape
func AbsSumF32(x *float32, n int) float32

// AbsSumF64 is AbsSumF32 for float64.
//
//go:noescape
func AbsSumF64(x *float64, n int) float64
