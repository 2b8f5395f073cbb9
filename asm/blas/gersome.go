//go:build amd64 && !purego

package blas

// GerSomeF32 is GerF32 for a y that is mostly 0: it costs by the columns, in groups of some, where it is not. n is a
// multiple of 8, and elements of a whose y is 0 stay, or have x times 0 added.
//
//	for j := range n { if y[j] != 0 { for i := range m { a[i*lda+j] += x[i] * y[j] } } }
//
//go:noescape
func GerSomeF32(m, n int, x, y, a *float32, lda int)

// GerSomeF64 is GerSomeF32 for float64.
//
//go:noescape
func GerSomeF64(m, n int, x, y, a *float64, lda int)
