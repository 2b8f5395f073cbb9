//go:build !amd64 || purego

package blas

// The compiler's conversions are all there is on arm64, too.

func CastF32(x *float32, y *float64, n int) { castGeneric(x, y, n) }
func CastF64(x *float64, y *float32, n int) { castGeneric(x, y, n) }
