//go:build (amd64 || arm64) && !purego

package sort

// ConvertI32 writes src[:n] to dst, which may be src: as keys with Load, as floats with Store, as it is with neither.
//
//	for i := range n { dst[i] = toKey(src[i], form) }
//
//go:noescape
func ConvertI32(dst, src *int32, n int, form int)

// ConvertI64 is ConvertI32 for keys of 64 bits.
//
//go:noescape
func ConvertI64(dst, src *int64, n int, form int)
