//go:build (amd64 || arm64) && !purego

package pair

// ScanKinksF32 is ScanF32 where a step has kinks. The slope of -C max_j beta_j along D is C up to KL, where k has the
// largest beta, 0 from there to KR, and -C beyond, where l has the largest. With g3, g1 and g2 the best D at each of
// these slopes the best of all is the chain below, cut to the box. Where no D leaves the largest beta to others, both
// kinks are in the middle between KL and KR.
//
//	a    = max(A + q[l] - 2 row[l], Least)
//	b    = B + f[l]
//	t, m = L - x[l], First or where t >= First Second
//	KL   = K - m, KR = m - t; where KL > KR both are (KL + KR)/2
//	i    = 1/a, g1 = b i, g2 = (b - C) i, g3 = (b + C) i
//	D    = min(g3, max(KL, min(g1, max(KR, g2))))
//	D    = min(max(D, max(L0, x[l] + L1)), min(U0, x[l] + U1))
//	gain = D (b - a/2 D) - C max(m, K - D, t + D)
//
// x is finite or NaN.
//
//go:noescape
func ScanKinksF32(row, q, f, x *float32, n int, p *Kinks[float32]) (best int, gain, d float32)

// ScanKinksF64 is ScanKinksF32 for float64.
//
//go:noescape
func ScanKinksF64(row, q, f, x *float64, n int, p *Kinks[float64]) (best int, gain, d float64)
