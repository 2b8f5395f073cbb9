//go:build (amd64 || arm64) && !purego

package pair

// PartnerF64 returns the partner l of k that promises most, the first of equals, and twice what a step of both
// variables without bounds gains: slope[l] is the gradient at l, 0 where that variable cannot move, gk is the gradient
// at k, row[l] = K_kl, q[l] = K_ll, a = K_kk. Where no gain is above 0, which NaN is not, it returns -1, 0.
//
//	product = a q[l]
//	det     = product - row[l]²
//	gain    = (gk² q[l] + slope[l]² a - 2 gk slope[l] row[l]) / det where det > parted product and slope[l] != 0
//
//go:noescape
func PartnerF64(row, q, slope *float64, n int, a, gk, parted float64) (best int, gain float64)

// PartnerMixed is PartnerF64 with rows of float32.
//
//go:noescape
func PartnerMixed(row, q *float32, slope *float64, n int, a, gk, parted float64) (best int, gain float64)
