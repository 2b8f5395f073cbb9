package vec

import "github.com/dualgap/dualgap/asm/blas"

// Convert sets dst[i] = src[i]. From float64 to float32 it rounds to nearest, and what is too large becomes infinite.
// dst must not overlap src. It panics when the lengths differ.
func Convert[D, S Float](dst []D, src []S) {
	match("Convert", len(dst), len(src))
	switch {
	case isF32[S]() && !isF32[D]():
		blas.CastF32(ptr32(src), ptr64(dst), len(src))
	case !isF32[S]() && isF32[D]():
		blas.CastF64(ptr64(src), ptr32(dst), len(src))
	case isF32[S]():
		copy(as32(dst), as32(src))
	default:
		copy(as64(dst), as64(src))
	}
}
