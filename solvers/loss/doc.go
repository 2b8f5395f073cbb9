// Package loss holds convex losses of the scores of one example, and what dual coordinate ascent (Prox-SDCA) needs of
// them.
//
//	var w loss.Workspace[float64] // one for each goroutine
//	l := loss.TopKHinge[float64]{K: 3}
//	phi := l.Primal(scores, []int{y}, &w) // the loss of an example with these scores
//	term := l.Dual(a, []int{y}, r, &w)    // what its dual variables add to the dual objective
//	gap, after, moved := l.Visit(a, scores, []int{y}, norm, r, term, 0, move, &w)
//
// # The losses
//
// An example has scores s in R^m, s_c = <w_c, x>, and a true class y. Over the other classes j != y let
// a_j = s_j - s_y and h_j = 1 + a_j, and let h_[j] be the j-th largest of these. The losses of one true class are
//
//	TopKHinge    phi = max(0, 1/k sum_{j=1..k} h_[j])           equation (3), the alpha form
//	TopKUsunier  phi = 1/k sum_{j=1..k} max(0, h_[j])           equation (5), the beta form
//	Usunier      phi = sum_j beta_j max(0, h_[j])               L_beta, weights beta_1 >= beta_2 >= ... >= 0
//	TopKEntropy  phi = max <a,u> - <u, log u> - (1-q) log(1-q)  over u in Delta_k, where q = <1,u>
//
// for 1 <= k <= m-1. The first three are from "Top-k Multiclass SVM" (Lapin, Hein, Schiele, NIPS 2015), the fourth is
// from "Loss Functions for Top-k Error" by the same authors (CVPR 2016). For k = 1 the first two are the multiclass
// hinge of Crammer and Singer, and the fourth is the softmax loss log(1 + sum_j exp a_j).
//
// The sums leave the true class out. Equation (3) as printed includes it, with h_y = 0. For k >= 2 the update of the
// paper's Proposition 4 does not belong to that loss, but to the one given here, which is also what the authors'
// published implementation trains. Where fewer than k of the h_j are positive, TopKHinge is the smaller of the two.
//
// For a set Y of true classes there are
//
//	MultilabelHinge    phi = max(0, max over y in Y, j not in Y of 1 + s_j - s_y)
//	MultilabelSoftmax  phi = log sum_j exp s_j - mean over y in Y of s_y
//	LabelHinge         phi = sum_c max(0, 1 - t_c s_c)     t_c = 1 for c in Y, and -1 for the others
//	SquaredHinge       phi = sum_c max(0, 1 - t_c s_c)²
//	Logistic           phi = sum_c log(1 + exp(-t_c s_c))
//
// and for targets y_c of the scores, without classes,
//
//	EpsilonInsensitive         phi = sum_c max(0, |s_c - y_c| - epsilon)
//	SquaredEpsilonInsensitive  phi = sum_c max(0, |s_c - y_c| - epsilon)²
//
// # Duality
//
// Each conjugate is given on its domain; elsewhere it is +Inf. The first two are Propositions 2 and 5.
//
//	TopKHinge          -<1,u> + Smoothing/2 |u|²     on Delta_k = {0 <= u_j <= <1,u>/k, <1,u> <= 1}
//	TopKUsunier        -<1,u> + Smoothing/2 |u|²     on {0 <= u_j <= 1/k, <1,u> <= 1}
//	Usunier            -<1,u> + Smoothing/2 |u|²     on {0 <= u, u_[1] + ... + u_[j] <= beta_1 + ... + beta_j for all j}
//	TopKEntropy        <u, log u> + (1-q) log(1-q)   on Delta_k
//	MultilabelHinge    -<1,u>                        on {u >= 0, z >= 0, <1,u> = <1,z> <= 1}
//	MultilabelSoftmax  <p, log p>                    on {p >= 0, <1,p> = 1}
//	LabelHinge         -<1,v>                        on {0 <= v <= 1}
//	SquaredHinge       -<1,v> + 1/4 |v|²             on {v >= 0}
//	Logistic           <v, log v> + <1-v, log(1-v)>  on {0 <= v <= 1}
//
//	EpsilonInsensitive         <y,u> + epsilon |u|_1            on {-1 <= u <= 1}
//	SquaredEpsilonInsensitive  <y,u> + epsilon |u|_1 + 1/4 |u|²  everywhere
//
// Here u stands for the classes that are not true, z for those that are, and p and v for all of them. Smoothing > 0
// makes the first three losses smooth; with 0 they are those above.
//
// The objective P(W) = 1/n sum_i phi_i + lambda/2 |W|² over examples x_i has the dual (Theorem 1)
//
//	D(A) = lambda (sum_i -r phi*(u_i) - 1/2 |W|²),  W = sum_i x_i a_iᵀ,  r = 1/(lambda n).
//
// The row a_i of A is the block of dual variables of example i. It is -r u over the classes j != y and r <1,u> at y.
// For MultilabelHinge it is -r u and r z, for MultilabelSoftmax r (q - p) with q uniform on Y, for the losses of labels
// r t_c v_c, and with targets -r u. The methods write x for r u, so that the dual term of a block is -r phi*(x/r). A
// loss of weight v has r = v/(lambda n).
//
// At the W of the dual variables P - D = lambda sum_i g_i, where
//
//	g_i = r phi(s_i) - (-r phi*(u_i)) + <a_i,s_i>.
//
// By the inequality of Fenchel and Young g_i >= 0. It is 0 where the block maximises the dual with the scores held.
//
// # The contract
//
// A solver knows a loss by the interface [Loss] alone. It computes the scores s of an example and calls Visit, which
// returns g_i, moves the block to its optimum where g_i is worth it, and returns the dual term -r phi*(x_i/r) of the
// new block. The solver keeps that term for the next visit, and adds the move to W. So a visit that moves nothing costs
// the primal value and an inner product.
//
// A certificate is computed in float64 from blocks that Repair has made feasible, by Primal and Dual. Reach says how
// far a block may be scaled, which is how training starts from the dual variables of another lambda.
//
// Without a training the scores of any model name dual variables: [At] has the block of an example, -r times a gradient
// of phi.
//
// # To add a loss
//
// Write a type that has the methods of [Loss]. As a rule these are short: Visit is a call of the function [Visit],
// which needs Primal, Dual, and a method Update that moves a block to its optimum. Anyone can: topk.Problem takes a
// Loss of its caller, and the example there is least squares in 30 lines.
//
// In this package a loss is one file. The comments give the formula of the loss, the domain, the dual term and the
// update, with their sources; topk_usunier.go is an example. A line in named.go makes it known by its name, and its At
// is in at.go. Then add a line to the table in losses_test.go. It names a function that draws feasible blocks, one that
// tells by how much a block is outside the domain, and one that computes the dual term in the plainest way. The tests
// of this package take it from there: the inequality of Fenchel and Young, equality where a visit ends, and each
// promise of [Loss].
package loss
