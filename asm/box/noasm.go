//go:build !(amd64 || arm64) || purego

package box

// Without assembly the kernels are their twins.

func HingeF32(a, s, delta *float32, m int, p *Problem[float32], inv float32, least float64) (gap, after float64,
	outcome int) {
	return hingeF32Generic(a, s, delta, m, p, inv, least)
}

func HingeF64(a, s, delta *float64, m int, p *Problem[float64], inv, least float64) (gap, after float64, outcome int) {
	return hingeF64Generic(a, s, delta, m, p, inv, least)
}

func SquaredF32(a, s, delta *float32, m int, p *Problem[float32], inv float32, least float64) (gap, after float64,
	outcome int) {
	return squaredF32Generic(a, s, delta, m, p, inv, least)
}

func SquaredF64(a, s, delta *float64, m int, p *Problem[float64], inv, least float64) (gap, after float64,
	outcome int) {
	return squaredF64Generic(a, s, delta, m, p, inv, least)
}

func GroupHingeF32(w *float32, idx *int32, val *float32, nnz int, a *float32, y int, p *Group[float32], inv float32,
	least float64) (gap, after float64, outcome int) {
	return grouphingeF32Generic(w, idx, val, nnz, a, y, p, inv, least)
}

func GroupHingeF64(w *float64, idx *int32, val *float64, nnz int, a *float64, y int, p *Group[float64], inv,
	least float64) (gap, after float64, outcome int) {
	return grouphingeF64Generic(w, idx, val, nnz, a, y, p, inv, least)
}

func GroupSquaredF32(w *float32, idx *int32, val *float32, nnz int, a *float32, y int, p *Group[float32], inv float32,
	least float64) (gap, after float64, outcome int) {
	return groupsquaredF32Generic(w, idx, val, nnz, a, y, p, inv, least)
}

func GroupSquaredF64(w *float64, idx *int32, val *float64, nnz int, a *float64, y int, p *Group[float64], inv,
	least float64) (gap, after float64, outcome int) {
	return groupsquaredF64Generic(w, idx, val, nnz, a, y, p, inv, least)
}

func ExtrapolateF32(w, last *float32, n int, beta float32) (before, after float64) {
	return extrapolateF32Generic(w, last, n, beta)
}

func ExtrapolateF64(w, last *float64, n int, beta float64) (before, after float64) {
	return extrapolateF64Generic(w, last, n, beta)
}

func ExtrapolateRowsF32(a, last, free *float32, lda, ldl, m, n int, beta float32, most *float32,
	moved *uint8) (rows int) {
	return extrapolaterowsF32Generic(a, last, free, lda, ldl, m, n, beta, most, moved)
}

func ExtrapolateRowsF64(a, last, free *float64, lda, ldl, m, n int, beta float64, most *float64,
	moved *uint8) (rows int) {
	return extrapolaterowsF64Generic(a, last, free, lda, ldl, m, n, beta, most, moved)
}

func CoupledHingeF32(a, s, delta *float32, m int, y *uint64, p *Coupled[float32], h float32, least float64) (
	gap, term, quadratic float64, outcome int) {
	return coupledhingeF32Generic(a, s, delta, m, y, p, h, least)
}

func CoupledHingeF64(a, s, delta *float64, m int, y *uint64, p *Coupled[float64], h, least float64) (
	gap, term, quadratic float64, outcome int) {
	return coupledhingeF64Generic(a, s, delta, m, y, p, h, least)
}

func CoupledSquaredF32(a, s, delta *float32, m int, y *uint64, p *Coupled[float32], h float32, least float64) (
	gap, term, quadratic float64, outcome int) {
	return coupledsquaredF32Generic(a, s, delta, m, y, p, h, least)
}

func CoupledSquaredF64(a, s, delta *float64, m int, y *uint64, p *Coupled[float64], h, least float64) (
	gap, term, quadratic float64, outcome int) {
	return coupledsquaredF64Generic(a, s, delta, m, y, p, h, least)
}
