//go:build (amd64 || arm64) && !purego

package math

// PowerF32 turns inner products v[:n] into a row of a polynomial kernel, by repeated squaring, for a degree of at least
// 1. Every operation is rounded by itself, so that all tiers give the same bits. y may be v; otherwise the two must not
// overlap.
//
//	for j := range n { y[j] = (scale*v[j] + offset)^degree }
//
//go:noescape
func PowerF32(scale, offset float32, degree int, v, y *float32, n int)

// PowerF64 is PowerF32 for float64.
//
//go:noescape
func PowerF64(scale, offset float64, degree int, v, y *float64, n int)

// PowerAddF32 adds weight times what PowerF32 writes to y.
//
//go:noescape
func PowerAddF32(scale, offset, weight float32, degree int, v, y *float32, n int)

// PowerAddF64 is PowerAddF32 for float64.
//
//go:noescape
func PowerAddF64(scale, offset, weight float64, degree int, v, y *float64, n int)
