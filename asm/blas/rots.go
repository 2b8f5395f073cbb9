//go:build (amd64 || arm64) && !purego

package blas

// RotsF32 applies m plane rotations to the m+1 rows of n elements of a, lda apart: rotation i turns rows i and i+1, in
// this order, so that each but the first finds what the one before it left.
//
//	for i := range m {
//		for j := range n {
//			x, y := a[i*lda+j], a[(i+1)*lda+j]
//			a[i*lda+j], a[(i+1)*lda+j] = c[i]*x + s[i]*y, c[i]*y - s[i]*x
//		}
//	}
//
// lda may be negative: then a is the last row in memory. Without rotations or columns nothing is touched. Neither c nor
// s overlaps a.
//
//go:noescape
func RotsF32(m, n int, c, s, a *float32, lda int)

// RotsF64 is RotsF32 for float64.
//
//go:noescape
func RotsF64(m, n int, c, s, a *float64, lda int)
