//go:build (amd64 || arm64) && !purego

package proj

// SmallF32 projects up to 16 elements, 1 <= k <= n <= 16, and returns 0 when it leaves the problem to others, without having
// written to dst: because it is not finite, because its solution is zero or close to another case, or because this tier has
// no kernel.
//
//	kind 0  x_i = min(max(0, a_i - T), u), sum_i max(0, a_i - T) = min(T/rho, r), T >= 0
//	kind 1  the same with sum_i min(max(0, a_i - T), u)
//	kind 2  the biased projection onto the top-k simplex (see package project)
//	kind 3  as kind 1 with sum_i min(max(0, a_i - T), u) = r, where k is r/u rounded up
//
// p holds SmallParams numbers, the parameters first: r > 0, rho, k, u (kind 2: r/k), k + rho k² (kind 2). When it is solved
// c, t, u, and for kind 2 the sum of the k largest and sum_i max(0, a_i - T - u) follow, where T = c + t; of the latter two
// the first is set where no element lies between the bounds, the second where u = r/k and some do. The result is then 1,
// plus 2⁸ times the number at the cap, plus 2¹⁶ times the number between.
//
// dst may be a.
//
//go:noescape
func SmallF32(dst, a *float32, n, k, kind int, p *float64) int

// SmallF64 is SmallF32 for float64.
//
//go:noescape
func SmallF64(dst, a *float64, n, k, kind int, p *float64) int
