//go:build (amd64 || arm64) && !purego

package blas

// AxpyF32 adds alpha x[:n] to y[:n]. x and y are the same or do not overlap.
//
//	for i := range n { y[i] += alpha * x[i] }
//
//go:noescape
func AxpyF32(alpha float32, x, y *float32, n int)

// AxpyF64 is AxpyF32 for float64.
//
//go:noescape
func AxpyF64(alpha float64, x, y *float64, n int)
