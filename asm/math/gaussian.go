//go:build (amd64 || arm64) && !purego

package math

// GaussianF32 turns inner products v[j] = <x, z_j> into a row of a Gaussian kernel, where nx = |x|², nz[j] = |z_j|² and
// alpha = -gamma. If add is 0 it writes the row to y, and weight is not used; otherwise it adds weight times the row to
// y, each product rounded. Where the difference d cancels the row is 0, and j is noted in near, which has room for n
// numbers, all of which may be written. It returns how many are near, in rising order. d is rounded once for a given
// sum, and the power has the bits of ExpScaledF32. y may be v; otherwise the two must not overlap.
//
//	for j := range n {
//		sum := nx + nz[j]
//		d := sum - 2*v[j]
//		e := exp(alpha * d)
//		if !(d >= sum/16) { e = 0; near[count] = j; count++ }
//		if add != 0 { e = y[j] + weight*e }
//		y[j] = e
//	}
//
//go:noescape
func GaussianF32(nx, alpha, weight float32, v, nz, y *float32, n int, near *int32, add int) int

// GaussianF64 is GaussianF32 for float64.
//
//go:noescape
func GaussianF64(nx, alpha, weight float64, v, nz, y *float64, n int, near *int32, add int) int
