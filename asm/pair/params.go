package pair

// Scan has what a scan for the partner of k takes beside the arrays. A step D of the pair k, l changes the dual by
// D b - D² a/2:
//
//	a = max(A + q[l] - 2 row[l], Least)          row[l] = K_kl, q[l] = K_ll, A = K_kk and the curvature of penalties
//	b = B + f[l] + P x[l]                        the gradient at k less that at l
//	D is in [max(L0, L1 x[l] + L2), min(U0, U1 x[l] + U2)]
//
// L0, L2, U0 and U2 may be infinite, the other numbers are finite; Least is above 0, and so large that 1/Least is
// finite.
type Scan[T float32 | float64] struct {
	A, Least, B, P         T
	L0, L1, L2, U0, U1, U2 T
}

// Kinks has what a scan takes where the dual holds -C max_j beta_j, too, beta_j being -x_j, and otherwise is linear but
// for D² a/2, as with the hinge. The largest beta of all is taken from every other, so that a step D costs
//
//	C max(m, K - D, t + D),  t = L - x[l],  m = First, or Second where t >= First
//
// where K is the beta of k less the largest, L is minus the largest, and m is the largest of all others less the
// largest of all: First and Second are the two largest but for k's own, 0 in place of one that is missing. Where k is
// no beta, K is -Inf, and where the l are not, L is.
//
//	a = max(A + q[l] - 2 row[l], Least)
//	b = B + f[l]
//	D is in [max(L0, x[l] + L1), min(U0, x[l] + U1)]
//
// L0, L1, U0 and U1 may be infinite; Least is as in Scan.
type Kinks[T float32 | float64] struct {
	A, Least, B            T
	L0, L1, U0, U1         T
	C, K, L, First, Second T
}
