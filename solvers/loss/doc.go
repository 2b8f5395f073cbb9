// Package loss holds convex losses of the scores of one example, and what dual coordinate ascent (Prox-SDCA) needs of them.
//
// An example has scores s in R^m, s_c = <w_c, x>, and a true class y. Over the other classes j != y let a_j = s_j - s_y and
// h_j = 1 + a_j. The losses are
//
//	TopKHinge    phi = max(0, 1/k sum_{j=1..k} h_[j])           equation (3), the alpha form
//	TopKUsunier  phi = 1/k sum_{j=1..k} max(0, h_[j])           equation (5), the beta form
//	TopKEntropy  phi = max <a,u> - <u, log u> - (1-s) log(1-s) over u in Delta_k, s = <1,u>; for k = 1 log(1 + sum_j exp a_j)
//
// of "Top-k Multiclass SVM" (Lapin, Hein, Schiele, NIPS 2015) and, the third, of "Loss Functions for Top-k Error" by the same
// (CVPR 2016), h_[j] the j-th largest, 1 <= k <= m-1; for k = 1 the first two are the multiclass hinge of Crammer and Singer
// and the third is the softmax loss. The sums leave the true class out. Equation (3) as printed includes it, with
// h_y = 0; but then the update of the paper's Proposition 4 is not that of its primal where k >= 2 (alpha), and it is this
// form, the one of that update and of its published implementation, that is trained here. Where fewer than k of the h_j are
// positive the alpha form is the smaller of the two. For sets Y of true classes there are
//
//	MultilabelHinge    phi = max(0, max over y in Y, j not in Y of 1 + s_j - s_y)
//	MultilabelSoftmax  phi = log sum_j exp s_j - mean over y in Y of s_y
//
// # Duality
//
// The conjugates are, on the set named and +Inf elsewhere (Propositions 2 and 5),
//
//	TopKHinge          -<1,u> + Smoothing/2 |u|²             on Delta_k = {0 <= u_j <= <1,u>/k, <1,u> <= 1}
//	TopKUsunier        -<1,u> + Smoothing/2 |u|²             on {0 <= u_j <= 1/k, <1,u> <= 1}
//	TopKEntropy        <u, log u> + (1-s) log(1-s)       on Delta_k
//	MultilabelHinge    -<1,u>                            on {u >= 0, z >= 0, <1,u> = <1,z> <= 1}
//	MultilabelSoftmax  <p, log p>                        on {p >= 0, <1,p> = 1}
//
// where Smoothing > 0 smooths the first two, u stands for the classes that are not true, z for those that are, and p for all. An
// objective P(W) = 1/n sum_i phi_i + lambda/2 |W|² has the dual (Theorem 1)
//
//	D(A) = lambda (sum_i -r phi*(x_i/r) - 1/2 |W|²),  W = sum_i x_i a_iᵀ,  r = 1/(lambda n),
//
// where the row a_i of A, a block of dual variables, is -x = -r u over the classes j != y and <1,x> at y; for sets it is -r u
// and r z, or r (q - p) with q uniform on Y. A loss of weight v has r = v/(lambda n). At the W of the dual
// variables P - D = lambda sum_i g_i, where g_i = r phi - (-r phi*(x/r)) + <a_i,s_i> >= 0 by the inequality of Fenchel and
// Young, and 0 where the block maximises the dual with the scores held.
package loss
