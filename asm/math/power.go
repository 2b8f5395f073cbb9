//go:build (amd64 || arm64) && !purego

package math

// PowerF32 turns inner products v[:n] into a row of a polynomial kernel, by repeated squaring, for a degree of at least
// 1. If add is 0 it writes the row to y, and weight is not used; otherwise it adds weight times the row to y. Every
// operation is rounded by itself, so that all tiers give the same bits. y may be v; otherwise the two must not overlap.
//
//	for j := range n {
//		p := (scale*v[j] + offset)^degree
//		if add != 0 { p = y[j] + weight*p }
//		y[j] = p
//	}
//
//go:noescape
func PowerF32(scale, offset, weight float32, degree int, v, y *float32, n, add int)

// PowerF64 is PowerF32 for float64.
//
//go:noescape
func PowerF64(scale, offset, weight float64, degree int, v, y *float64, n, add int)
