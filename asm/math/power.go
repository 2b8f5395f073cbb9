package math

// PowerF32 turns inner products v[:n] into a row of a polynomial kernel, by repeated squaring, for a degree of at least
// 1. Every operation is rounded by itself, so that all tiers give the same bits. y may be v; otherwise the two must not
// overlap.
//
//	for j := range n { y[j] = (scale*v[j] + offset)^degree }
func PowerF32(scale, offset float32, degree int, v, y *float32, n int) {
	powerF32Generic(scale, offset, degree, v, y, n)
}

// PowerF64 is PowerF32 for float64.
func PowerF64(scale, offset float64, degree int, v, y *float64, n int) {
	powerF64Generic(scale, offset, degree, v, y, n)
}

// PowerAddF32 adds weight times what PowerF32 writes to y.
func PowerAddF32(scale, offset, weight float32, degree int, v, y *float32, n int) {
	poweraddF32Generic(scale, offset, weight, degree, v, y, n)
}

// PowerAddF64 is PowerAddF32 for float64.
func PowerAddF64(scale, offset, weight float64, degree int, v, y *float64, n int) {
	poweraddF64Generic(scale, offset, weight, degree, v, y, n)
}
