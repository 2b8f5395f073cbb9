//go:build (amd64 || arm64) && !purego

package math

// GaussianF32 turns inner products v[j] = <x, z_j> into a row of a Gaussian kernel, where nx = |x|², nz[j] = |z_j|² and
// alpha = -gamma. Where the difference d cancels it writes 0, and j to near, which has room for n numbers, all of which
// may be written. It returns how many are near, in rising order. d is rounded once for a given sum, and the power has
// the bits of ExpScaledF32. y may be v; otherwise the two must not overlap.
//
//	for j := range n {
//		sum := nx + nz[j]
//		d := sum - 2*v[j]
//		if !(d >= sum/16) { y[j] = 0; near[count] = j; count++ } else { y[j] = exp(alpha * d) }
//	}
//
//go:noescape
func GaussianF32(nx, alpha float32, v, nz, y *float32, n int, near *int32) int

// GaussianF64 is GaussianF32 for float64.
//
//go:noescape
func GaussianF64(nx, alpha float64, v, nz, y *float64, n int, near *int32) int

// GaussianAddF32 adds weight times what GaussianF32 writes to y. The product is rounded before it is added.
//
//go:noescape
func GaussianAddF32(nx, alpha, weight float32, v, nz, y *float32, n int, near *int32) int

// GaussianAddF64 is GaussianAddF32 for float64.
//
//go:noescape
func GaussianAddF64(nx, alpha, weight float64, v, nz, y *float64, n int, near *int32) int
