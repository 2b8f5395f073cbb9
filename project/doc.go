// Package project computes Euclidean projections, plain and biased, exactly and in linear time in practice.
//
// # The sets
//
// With s = <1,x> the sum of x, a vector of d elements, and r >= 0 a radius,
//
//	TopKSimplex          alpha: Delta_k(r) = { 0 <= x_i <= s/k,  s <= r }, the top-k simplex
//	TopKSimplexBeta      beta: { 0 <= x_i <= r/k,  s <= r }
//	TopKCone             { 0 <= x_i <= s/k }
//	Orthant              { 0 <= x_i }
//	Simplex              { 0 <= x_i,  s = r }, or s <= r
//	Knapsack             { l <= x_i <= u,  s = r }, or s <= r
//	WeightedKnapsack     { l_i <= x_i <= u_i,  <b,x> = r }, or <b,x> <= r
//	Box                  { l <= x_i <= u }
//	L1Ball, L2Ball       { |x|_1 <= r }, { |x|_2 <= r }
//	GroupBall            { |x|_{2,q} <= r }, groups as rows of a matrix
//
// the first four biased by rho/2 s². For k = 1 alpha and beta are the simplex { x >= 0, s <= r }; for k >= 2 alpha is the
// smaller one, and what it lacks is vectors with fewer than k positive elements. These two are the effective domains of the
// conjugates of the top-k hinge losses of Lapin, Hein and Schiele, "Top-k Multiclass SVM" (NIPS 2015, called the paper
// below; Propositions 2 and 5).
//
// TopKSimplexSmooth, TopKSimplexBetaSmooth, EntropySimplex and TopKEntropy are proximal points of the conjugates of smooth
// losses on these sets.
//
// All write into dst, which may be the argument itself, allocate nothing once their Workspace is warm, and return the
// multipliers, by which the functions Residual... verify a solution. Rows projects each row of a matrix.
//
// # The problem
//
//	minimise 1/2 |a - x|^2 + rho/2 s^2 over the set, rho >= 0.
//
// rho = 0 is the projection. rho = 1, r = 1/(lambda n) is the step of Prox-SDCA for those losses (Proposition 4).
//
// # Solutions
//
// In all cases x_i = min(max(0, a_i - t), u). U is the set of i with x_i = u, M that of i with 0 < x_i < u, a_[j] the j-th
// largest element, p = sum_i max(0, a_i - t - u).
//
//	alpha, zero        iff the k largest sum to at most 0 (Lemma 4: necessary for every rho, as rho s^2 is of second
//	                   order at 0) or r = 0
//	alpha, vertex      u = min(v, r/k), v = sum of the k largest / (k + rho k^2), if a_[k] - u >= a_[k+1]: U the k
//	                   largest, M empty (Lemma 3, case 2)
//	alpha, cone        u = s/k, t = rho s - p/k: the system (7) of Lemma 3, case 3, if its u <= r/k
//	alpha, knapsack    u = r/k, s = r otherwise; then t + p/k - rho r >= 0 (Lemma 5)
//	beta, interior     u = r/k, t = rho s, if that has s <= r: (10)
//	beta, knapsack     u = r/k, s = r otherwise; then t - rho r >= 0
//
// # The algorithm
//
// Long vectors are pruned first. The largest elements of 16 classes of a, an element belonging to the class of
// its position modulo 16, are a small problem: its threshold is no larger than that of the whole for sets with fixed
// bounds, and for alpha the bound below with the k-th largest maximum for a_[k] is no larger either. One pass finds the
// maxima, one copies what is not below that bound, and dst is cleared but for what remains, or written by a third pass over
// a where much does; they run at the speed of vectors. What follows sees little more than the positive elements. For k > 16,
// up to d/3, a_[k] is bounded by an element of a sorted sample of d/32, 1024 at most, and the bound holds when k elements
// are found not to be below it; else another, twice as far down the sample, is tried.
//
// With AVX-512 up to 16 elements, or what pruning leaves of more, are then solved in registers: each element's value is
// taken for a threshold, for all of them at once, and the sums there tell which elements lie above the true one. The
// thresholds that follow are verified, and the rest of this section serves where they are not, and all other problems. Up
// to 512 bytes of elements are pruned in registers on the way. With AVX2 this is so for k = 1 and up to 16 elements.
//
// The k largest elements are found next. They bound t from below, and elements under the bound are zero: for alpha
//
//	t >= a_[k] - min(v, r/k),
//
// since |U| < k unless the vertex is the solution; for beta, the t that solves the problem of the k largest alone. What
// remains is usually a handful. With the n largest fixed at the cap and no cap on the others, t is the root of
// a convex, falling, piecewise linear function. Newton's method lands left of the root in one step, wherever it
// starts, and then climbs; each step loses elements from {a_i > t}, and when it loses none, t is the root: finitely many
// steps, without brackets. For the outer search of n = |U|:
//
//   - in the knapsack and in beta every n too small gives a t too large, so that the elements it puts at the cap belong
//     there (variable fixing, Kiwiel 2008): n grows until nothing new reaches the cap, in at most k rounds;
//   - in the cone the solution for n too small has a_[n+1] > t + u, that for n too large a_[n] < t + u: an interval of
//     candidates shrinks from the side that the test tells, by the number that t + u suggests and, from the fifth round on,
//     by halving.
//
// # Cost and precision
//
// Two passes over a and one over dst when pruned. Of what remains: O(d) for k <= 24 in random order, O(d + k log k) otherwise, plus one
// pass over the remaining elements a Newton step: two to five as a rule; data that grow geometrically can make them as many
// as the remaining elements. With a Workspace nothing is allocated.
//
// All is computed in float64, relative to a_[k], and written in the type of a: elements between the bounds lie within u of
// a_[k], so that errors there, and of the sum against r, are relative to u and not to the largest element.
package project
