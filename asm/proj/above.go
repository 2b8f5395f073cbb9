//go:build (amd64 || arm64) && !purego

package proj

// AboveF32 copies to dst, in their order, the elements of a[:n] that are not below t, NaN among them, and returns their
// number. dst has room for n+16 elements, of which all may be written; it may be a itself, which then has that room.
//
//	for i := range n { if !(a[i] < t) { dst[m] = a[i]; m++ } }
//
//go:noescape
func AboveF32(dst, a *float32, n int, t float32) int

// AboveF64 is AboveF32 for float64.
//
//go:noescape
func AboveF64(dst, a *float64, n int, t float64) int
