// Package project computes Euclidean projections, plain and biased, exactly and in practice in linear time.
//
//	x := make([]float32, len(a))
//	var w project.Workspace[float32]                                // keep it: later calls allocate nothing
//	project.Simplex(x, a, project.Equal, 1, &w)                     // the nearest x >= 0 with sum 1
//	project.TopKSimplex(x, a, 5, 1, 0, &w)                          // no element above a fifth of the sum
//	th, err := project.Knapsack(x, a, 0, 1, project.AtMost, 10, &w) // 0 <= x <= 1, sum at most 10
//
// # The sets
//
// Let s = <1,x> be the sum of x, a vector of d elements, and r >= 0 a radius.
//
//	TopKSimplex          alpha: { 0 <= x_i <= s/k,  s <= r }, the top-k simplex
//	TopKSimplexBeta      beta: { 0 <= x_i <= r/k,  s <= r }
//	Permutahedron        { 0 <= x_i,  x_[1] + ... + x_[j] <= r (beta_1 + ... + beta_j) for each j }
//	TopKCone             { 0 <= x_i <= s/k }
//	Orthant              { 0 <= x_i }
//	Simplex              { 0 <= x_i,  s = r }, or s <= r
//	Knapsack             { l <= x_i <= u,  s = r }, or s <= r
//	WeightedKnapsack     { l_i <= x_i <= u_i,  <b,x> = r }, or <b,x> <= r
//	Box                  { l <= x_i <= u }
//	L1Ball, L2Ball       { |x|_1 <= r }, { |x|_2 <= r }
//	GroupBall            { |x|_{2,q} <= r }, groups as rows of a matrix
//
// The first five projections may be biased by rho/2 s². For k = 1 alpha and beta are both the simplex { x >= 0, s <= r
// }. For k >= 2 alpha is smaller than beta: it lacks vectors with fewer than k positive elements. Alpha and beta are
// the effective domains of the conjugates of the two top-k hinge losses of Lapin, Hein and Schiele, "Top-k Multiclass
// SVM" (NIPS 2015, called the paper below; Propositions 2 and 5). Permutahedron, with weights beta that fall, is the
// domain of the conjugate of the paper's L_beta; with beta_j = 1/k it is beta.
//
// TopKSimplexSmooth, TopKSimplexBetaSmooth, EntropySimplex and TopKEntropy are proximal points of the conjugates of
// smooth losses on these sets.
//
// # Arguments
//
// The result goes to dst, which may be the vector that is projected, and else may not overlap it. Functions return the
// multipliers of the solution. With a [Workspace] that has met a vector as long they allocate nothing.
//
// Lengths that differ, and numbers that define no set or no objective, such as k = 0 or a negative radius, are errors
// of the program: a function panics with a [vec.ShapeError] that names it and the numbers, before it writes anything.
// What elements hold never panics. A knapsack that is empty is an error that is returned.
//
// [Rows] projects each row of a matrix.
//
// # The problem
//
//	minimise 1/2 |a - x|^2 + rho/2 s^2 over the set, rho >= 0.
//
// rho = 0 is the projection. rho = 1 and r = 1/(lambda n) are the step of Prox-SDCA for those losses (Proposition 4).
//
// # Solutions
//
// The solution is x_i = min(max(0, a_i - t), u) for all of the first five sets but Permutahedron, which has its own. U
// is the set of i with x_i = u, M the set of i with 0 < x_i < u, a_[j] the j-th largest element, and p = sum_i max(0,
// a_i - t - u).
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
// Long vectors are pruned first: elements that will be 0 for certain are dropped. To find a bound for them, the
// elements are put into 16 classes by their position modulo 16. The largest elements of the classes are a small
// problem. For sets with fixed bounds its threshold is no larger than the whole's; for alpha neither is the bound below
// with the k-th largest of them for a_[k]. One pass finds the maxima, and one copies what is not below the bound. Then
// dst is cleared but for what remains; where much remains a third pass over a writes it. All passes run at the speed of
// vectors, and what follows sees little more than the positive elements.
//
// For k > 16, up to d/3, a_[k] is bounded by an element of a sorted sample instead, of d/32 elements, 1024 at most. The
// bound holds when k elements are found not to be below it. Else another element, twice as far down the sample, is
// tried.
//
// With AVX-512 up to 16 elements, those that pruning leaves among them, are solved in registers. Each element is tried
// as a threshold, all of them at once, and the sums tell which elements lie above the true one. The thresholds that
// follow are verified; where they fail, the rest of this section applies, as it does to all other problems. Up to 512
// bytes of elements are pruned in registers on the way. With AVX2 this is so for k = 1 and up to 16 elements.
//
// The k largest elements are found next. They bound t from below, and elements under the bound are zero. For alpha
//
//	t >= a_[k] - min(v, r/k),
//
// since |U| < k unless the vertex is the solution. For beta the bound is the t that solves the problem of the k largest
// alone. What remains is usually a handful.
//
// With the n largest at the cap and no cap on the others, t is the root of a convex, falling, piecewise linear
// function. Newton's method lands left of the root in one step, wherever it starts, and then climbs. Each step loses
// elements from {a_i > t}, and when it loses none, t is the root: it ends without brackets. The number n = |U| is
// searched for around this:
//
//   - in the knapsack and in beta every n too small gives a t too large, so that the elements it puts at the cap belong
//     there (variable fixing, Kiwiel 2008): n grows until nothing new reaches the cap, in at most k rounds;
//   - in the cone the solution for n too small has a_[n+1] > t + u, that for n too large a_[n] < t + u: an interval of
//     candidates shrinks from the side that the test tells, by the number that t + u suggests and, from the fifth round
//     on, by halving.
//
// # Cost and precision
//
// Pruning takes two passes over a and one over dst. Of what remains, the k largest are found in O(d) for k <= 24 in
// random order and O(d + k log k) otherwise. Each Newton step is one pass over the remaining elements: two to five
// steps as a rule, but for elements that grow geometrically there can be as many steps as elements.
//
// All is computed in float64, relative to a_[k], and written in the type of a. Elements between the bounds lie within u
// of a_[k], so errors in them, and of the sum against r, are relative to u and not to the largest element.
//
// # Residuals
//
// A residual is the largest violation of the conditions that prove x to be the projection of a, its thresholds given:
// of the constraints, of x = clip(a - T), of Lambda >= 0, and of Lambda (r - <1,x>) = 0, where the smaller factor
// counts. It is in units of x: zero for the exact solution, and about the size of rounding for what this package
// returns: the rounding of T, of x in its type, and of sums of d elements. NaN anywhere gives NaN. Sums are
// compensated. Each residual costs O(d), allocates nothing, and panics when lengths differ.
package project
