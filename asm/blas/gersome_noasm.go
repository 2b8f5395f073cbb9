//go:build !amd64 || purego

package blas

// arm64 has no kernel of its own: the plain loop, too, costs by the columns that are not 0.

func GerSomeF32(m, n int, x, y, a *float32, lda int) { gerSomeGeneric(m, n, x, y, a, lda) }
func GerSomeF64(m, n int, x, y, a *float64, lda int) { gerSomeGeneric(m, n, x, y, a, lda) }
