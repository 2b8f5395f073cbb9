//go:build (amd64 || arm64) && !purego

package reduce

// ClipF32 copies x[:n] to dst, but lo for what is less, and hi for what is more: NaN stays NaN, and -0 is not less than
// 0. lo is at most hi. dst may be x.
//
//	for i := range n { dst[i] = x[i]; if dst[i] < lo { dst[i] = lo }; if dst[i] > hi { dst[i] = hi } }
//
//go:noescape
func ClipF32(dst, x *float32, n int, lo, hi float32)

// ClipF64 is ClipF32 for float64.
//
//go:noescape
func ClipF64(dst, x *float64, n int, lo, hi float64)
