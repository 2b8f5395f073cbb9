package pair

// Scan has what a scan for the partner of k takes beside the arrays. With S the dual without the terms of other
// variables, a step D of the pair k, l changes it by D b - D² a/2:
//
//	a = max(A + q[l] - 2 row[l], Least)          row[l] = K_kl, q[l] = K_ll, A = K_kk and the curvature of penalties
//	b = B + f[l] + P x[l]                        the gradient at k less that at l
//	D is in [max(L0, L1 x[l] + L2), min(U0, U1 x[l] + U2)]
//
// L0, L2, U0 and U2 may be infinite, the other numbers are finite; Least is above 0, and so large that 1/Least is finite.
type Scan[T float32 | float64] struct {
	A, Least, B, P         T
	L0, L1, L2, U0, U1, U2 T
}

// Kinks has what a scan takes where the dual holds -C max_j beta_j, too, beta_j being -x_j: with t = L - x[l] and m the
// largest of all other beta,
//
//	t = L - x[l]
//	m = First, or Second where t >= First
//	a step D leaves max(m, K - D, t + D) of max(First, K)
//
// Where k is a beta, K is that, else -Inf; where the l are beta, L is 0, else -Inf. First and Second are the two largest
// beta without that of k, each 0 where there is none.
type Kinks[T float32 | float64] struct {
	Scan[T]
	C, K, L, First, Second T
}
