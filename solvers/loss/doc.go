// Package loss holds convex losses of the scores of one example, and what dual coordinate ascent (Prox-SDCA) needs of them.
//
// An example has scores s in R^m, s_c = <w_c, x>, and a true class y. Over the other classes j != y let a_j = s_j - s_y and
// h_j = 1 + a_j. The losses are
//
//	TopKHinge    phi(a) = max(0, 1/k sum_{j=1..k} h_[j])       equation (3), the alpha form
//	TopKUsunier  phi(a) = 1/k sum_{j=1..k} max(0, h_[j])       equation (5), the beta form
//
// of "Top-k Multiclass SVM" (Lapin, Hein, Schiele, NIPS 2015), h_[j] the j-th largest, 1 <= k <= m-1; for k = 1 both are the
// multiclass hinge of Crammer and Singer. The sums leave the true class out. Equation (3) as printed includes it, with
// h_y = 0; but then the update of the paper's Proposition 4 is not that of its primal where k >= 2 (alpha), and it is this
// form, the one of that update and of its published implementation, that is trained here. Where fewer than k of the h_j are
// positive the alpha form is the smaller of the two.
//
// # Duality
//
// The conjugate of each is phi*(u) = -<1,u> on a set, +Inf elsewhere (Propositions 2 and 5):
//
//	TopKHinge    u in Delta_k = {0 <= u_j <= <1,u>/k, <1,u> <= 1}
//	TopKUsunier  {0 <= u_j <= 1/k, <1,u> <= 1}
//
// An objective P(W) = 1/n sum_i phi_i + lambda/2 |W|² has the dual (Theorem 1)
//
//	D(A) = lambda (sum_i -r phi*(x_i/r) - 1/2 |W|²),  W = sum_i x_i a_iᵀ,  r = 1/(lambda n),
//
// where the row a_i of A, a block of dual variables, is -x over the classes j != y and <1,x> at y. At the W of the dual
// variables P - D = lambda sum_i g_i, where g_i = r phi - (-r phi*(x/r)) + <a_i,s_i> >= 0 by the inequality of Fenchel and
// Young, and 0 where x maximises the dual with the scores held.
package loss
