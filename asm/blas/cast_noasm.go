//go:build !(amd64 || arm64) || purego

package blas

func CastF32(x *float32, y *float64, n int) { castGeneric(x, y, n) }
func CastF64(x *float64, y *float32, n int) { castGeneric(x, y, n) }
