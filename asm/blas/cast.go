//go:build (amd64 || arm64) && !purego

package blas

// CastF32 converts float32 to float64. x and y do not overlap.
//
//	for i := range n { y[i] = float64(x[i]) }
//
//go:noescape
func CastF32(x *float32, y *float64, n int)

// CastF64 converts float64 to float32, rounded to nearest.
//
//	for i := range n { y[i] = float32(x[i]) }
//
//go:noescape
func CastF64(x *float64, y *float32, n int)
