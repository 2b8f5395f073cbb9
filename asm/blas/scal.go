//go:build (amd64 || arm64) && !purego

package blas

// ScalF32 multiplies x[:n] by alpha. The result is rounded once: every tier gives the same bits.
//
//	for i := range n { x[i] *= alpha }
//
//go:noescape
func ScalF32(alpha float32, x *float32, n int)

// ScalF64 is ScalF32 for float64.
//
//go:noescape
func ScalF64(alpha float64, x *float64, n int)
