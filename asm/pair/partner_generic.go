package pair

import "unsafe"

func partnerF64Generic(row, q, slope *float64, n int, a, gk, parted float64) (best int, gain float64) {
	return partnerGeneric(row, q, slope, n, a, gk, parted)
}

func partnermixedGeneric(row, q *float32, slope *float64, n int, a, gk, parted float64) (best int, gain float64) {
	return partnerGeneric(row, q, slope, n, a, gk, parted)
}

// partnerGeneric is the loop of the doc comment. The conversions of products keep compilers from fusing them with a
// sum.
func partnerGeneric[R float](row, q *R, slope *float64, n int, a, gk, parted float64) (best int, gain float64) {
	rows, diagonal := unsafe.Slice(row, n), unsafe.Slice(q, n)
	best = -1
	for l, gl := range unsafe.Slice(slope, n) {
		kl, kll := float64(rows[l]), float64(diagonal[l])
		product := float64(a * kll)
		det := product - float64(kl*kl)
		if gl == 0 || !(det > float64(parted*product)) {
			continue
		}
		if v := (float64(gk*gk*kll) + float64(gl*gl*a) - float64(2*gk*gl*kl)) / det; v > gain {
			best, gain = l, v
		}
	}
	return best, gain
}
