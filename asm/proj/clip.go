//go:build (amd64 || arm64) && !purego

package proj

// ClipF32 sets dst[:n] to a - c - t within [l, u], computed in float64 and rounded once. dst may be a. It needs l <= u
// and c, t finite. NaN stays NaN. The caller says with skip, which may be -Inf, that elements up to it come out as l:
// whole vectors of them are not computed.
//
//	for i := range n { dst[i] = T(min(max((float64(a[i])-c)-t, l), u)) }
//
//go:noescape
func ClipF32(dst, a *float32, n int, skip float32, c, t, l, u float64)

// ClipF64 is ClipF32 for float64.
//
//go:noescape
func ClipF64(dst, a *float64, n int, skip float64, c, t, l, u float64)
