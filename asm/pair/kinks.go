//go:build (amd64 || arm64) && !purego

package pair

// ScanKinksF32 is ScanF32 for a dual that holds -C max_j beta_j, too. The slope of that along D is C up to KL, where k has
// the largest beta, 0 from there to KR, and -C beyond, where l has the largest: with g3, g1 and g2 the best D at each slope,
// the best of all is the chain below, cut to the box. Where no D leaves the largest beta to others, both kinks are in the
// middle between them.
//
//	t, m = L - x[l], First or where t >= First Second
//	KL   = K - m, KR = m - t; where KL > KR both are (KL + KR)/2
//	i    = 1/a, g1 = b i, g2 = (b - C) i, g3 = (b + C) i
//	D    = min(g3, max(KL, min(g1, max(KR, g2)))), cut as in ScanF32
//	gain = D (b - a D/2) - C (max(m, K - D, t + D) - max(First, K))
//
//go:noescape
func ScanKinksF32(row, q, f, x *float32, n int, p *Kinks[float32]) (best int, gain, d float32)

// ScanKinksF64 is ScanKinksF32 for float64.
//
//go:noescape
func ScanKinksF64(row, q, f, x *float64, n int, p *Kinks[float64]) (best int, gain, d float64)
