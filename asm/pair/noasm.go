//go:build !(amd64 || arm64) || purego

package pair

// Without assembly the kernels are their twins.

func ScanF32(row, q, f, x *float32, n int, p *Scan[float32]) (best int, gain, d float32) {
	return scanGeneric(row, q, f, x, n, p)
}

func ScanF64(row, q, f, x *float64, n int, p *Scan[float64]) (best int, gain, d float64) {
	return scanGeneric(row, q, f, x, n, p)
}

func ScanMixed(row, q *float32, f, x *float64, n int, p *Scan[float64]) (best int, gain, d float64) {
	return scanGeneric(row, q, f, x, n, p)
}

func ScanKinksF32(row, q, f, x *float32, n int, p *Kinks[float32]) (best int, gain, d float32) {
	return scankinksGeneric(row, q, f, x, n, p)
}

func ScanKinksF64(row, q, f, x *float64, n int, p *Kinks[float64]) (best int, gain, d float64) {
	return scankinksGeneric(row, q, f, x, n, p)
}

func MoveF32(f, rk, rl *float32, n int, d float32)            { moveGeneric(f, rk, rl, n, d) }
func MoveF64(f, rk, rl *float64, n int, d float64)            { moveGeneric(f, rk, rl, n, d) }
func MoveMixed(f *float64, rk, rl *float32, n int, d float64) { moveGeneric(f, rk, rl, n, d) }

func ExtremesF64(f, x *float64, n int, p, lo, hi float64) (least float64, at int, most float64) {
	return extremesF64Generic(f, x, n, p, lo, hi)
}

func ProjectF64(dst, slope, x, end *float64, n int) (at int, most float64) {
	return projectF64Generic(dst, slope, x, end, n)
}

func PartnerF64(row, q, slope *float64, n int, a, gk, parted float64) (best int, gain float64) {
	return partnerGeneric(row, q, slope, n, a, gk, parted)
}

func PartnerMixed(row, q *float32, slope *float64, n int, a, gk, parted float64) (best int, gain float64) {
	return partnerGeneric(row, q, slope, n, a, gk, parted)
}
