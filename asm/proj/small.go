//go:build (amd64 || arm64) && !purego

package proj

// SmallF32 projects up to 128 elements, 1 <= k <= n, and returns 0 when it leaves the problem to others, without having
// written to dst: because it is not finite, because its solution is zero or close to another case, because of many
// elements more than 16 may be positive, or because this tier has no kernel.
//
//	kind 0  x_i = min(max(0, a_i - T), u), sum_i max(0, a_i - T) = min(T/rho, r), T >= 0
//	kind 1  the same with sum_i min(max(0, a_i - T), u)
//	kind 2  the biased projection onto the top-k simplex (see package project)
//	kind 3  as kind 1 with sum_i min(max(0, a_i - T), u) = r, where k is r/u rounded up
//	kind 4  the same where u = r
//
// p holds SmallParams numbers, the parameters first: r > 0, rho, k, u (kind 2: r/k), k + rho k² (kind 2); kinds 3 and 4
// have no rho, kinds 0 and 4 no k and no u, which is r. When it is solved, and the result is 1, there follow c and t,
// where T = c + t, then T, u, the multiplier of the sum, and in one place two int32, the numbers of elements at the cap
// and between the bounds.
//
// dst may be a.
//
//go:noescape
func SmallF32(dst, a *float32, n, k, kind int, p *float64) int

// SmallF64 is SmallF32 for up to 64 elements of float64.
//
//go:noescape
func SmallF64(dst, a *float64, n, k, kind int, p *float64) int
