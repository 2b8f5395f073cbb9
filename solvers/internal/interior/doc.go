// Package interior is a primal-dual interior point method, Mehrotra's predictor and corrector, for two sides of
// variables, plus and minus, and one scalar s that ties them:
//
//	min  1/2 cᵀKc + Σ_u (q_u/2 v_u² - l_u v_u) + cost s + curve/2 Σ_{u minus} v_u²/s,    c_i = Σ_{u of i} ±v_u,
//	     0 <= v_u <= upper_u + ratio_u s,   Σ_plus v = Σ_minus v, tied or not to be s.
//
// Its number of iterations, 10 to 30 as a rule, hardly depends on the condition of K, which makes it the method for
// problems where coordinates one by one do not get there. Each takes one decomposition of K + diag(d), which System
// does: of a dense K in O(n³), of K = XXᵀ in O(n d²).
//
// # Symbols
//
// The problem is the dual of ranking at the top. The words of packages toprank, toploss and pairs for its parts, with
// the hinge (H) or the quadratic (Q) of TopPush with K > 1 (T) or Pat&Mat (P):
//
//	here        toprank, toploss                                                pairs
//	v of Plus   alpha_i                                                         x_u
//	v of Minus  beta_j                                                          -x_u
//	s           T: S = sum alpha = sum beta; P: delta, over which r(beta) is    s, scalar.at
//	            the least of cost s and its term; TopPush with K = 1 has none
//	c, f        alpha - beta, the scores K c                                    c, f
//	l           Linear: 1/theta1 of Plus; P: 1/theta2 of Minus                  linear, signed
//	q           Quadratic: Q: 2 p1 = 1/(2 C theta1²) of Plus                    quadratic; of Minus curve/s
//	upper       Upper: H: C theta1 of Plus                                      upper of Plus
//	ratio       Ratio: T: 1/K of Minus; H of P: theta2 of Minus                 -lower/s of Minus
//	cost        Cost: P: Tau n                                                  p.Cost
//	curve       Curve: Q of P: 1/(2 theta2²)                                    p.Curve
//	y           multipliers of the sums: the threshold t, but for its sign      multiplier
//	z, t, w     multipliers of v >= 0 and of the upper bound, and its slack
//	group       a query, with its own s and y
package interior
