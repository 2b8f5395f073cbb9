//go:build !(amd64 || arm64) || purego

package blas

// Without assembly each kernel is its twin.

func DotF32(x, y *float32, n int) float32 { return dotGeneric(x, y, n) }
func DotF64(x, y *float64, n int) float64 { return dotGeneric(x, y, n) }
