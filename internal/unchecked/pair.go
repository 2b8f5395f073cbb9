package unchecked

import (
	"github.com/dualgap/dualgap/asm/pair"
	"github.com/dualgap/dualgap/vec"
)

// PairScan has what a scan for the partner of a variable takes beside the arrays.
type PairScan = pair.Scan[float64]

// ScanPairs returns the partner in [0, len(x)) whose pair step gains most, with what it gains and the step, or -1, as
// pair.ScanMixed in asm says: row and q are rows of K and its diagonal, f scores and x variables.
func ScanPairs[T vec.Float](row, q []T, f, x []float64, p *PairScan) (best int, gain, d float64) {
	if Is32[T]() {
		return pair.ScanMixed(p32(row), p32(q), p64(f), p64(x), len(x), p)
	}
	return pair.ScanF64(p64(row), p64(q), p64(f), p64(x), len(x), p)
}

// MovePair adds d (rk - rl) to f.
func MovePair[T vec.Float](f []float64, rk, rl []T, d float64) {
	if Is32[T]() {
		pair.MoveMixed(p64(f), p32(rk), p32(rl), len(f), d)
	} else {
		pair.MoveF64(p64(f), p64(rk), p64(rl), len(f), d)
	}
}

// PairExtremes returns the least f + p x of those with x < hi, where it is first, and the largest of those with x > lo.
func PairExtremes(f, x []float64, p, lo, hi float64) (least float64, at int, most float64) {
	return pair.ExtremesF64(p64(f), p64(x), len(x), p, lo, hi)
}

// ProjectGradient sets dst to the gradient g of those variables x, each between 0 and its end, that can go where g
// points, and to 0 for the others. It returns where dst is largest in magnitude, or -1, and that.
func ProjectGradient(dst, g, x, end []float64) (at int, most float64) {
	return pair.ProjectF64(p64(dst), p64(g), p64(x), p64(end), len(x))
}

// BestPartner returns the partner of k that promises most without bounds, and twice its gain, or -1, as
// pair.PartnerMixed in asm says: row and q are row k of K and its diagonal, g the projected gradient, a = K_kk, gk the
// gradient at k.
func BestPartner[T vec.Float](row, q []T, g []float64, a, gk, parted float64) (best int, gain float64) {
	if Is32[T]() {
		return pair.PartnerMixed(p32(row), p32(q), p64(g), len(g), a, gk, parted)
	}
	return pair.PartnerF64(p64(row), p64(q), p64(g), len(g), a, gk, parted)
}
