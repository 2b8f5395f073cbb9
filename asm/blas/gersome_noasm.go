//go:build !amd64 || purego

package blas

// With vectors of 128 bits there is next to nothing to gain over the plain loop.

func GerSomeF32(m, n int, x, y, a *float32, lda int) { gerSomeGeneric(m, n, x, y, a, lda) }
func GerSomeF64(m, n int, x, y, a *float64, lda int) { gerSomeGeneric(m, n, x, y, a, lda) }
