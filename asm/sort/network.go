//go:build (amd64 || arm64) && !purego

package sort

// NetworkI32 writes the sorted src[:n] to dst, which may be src. n is at most the limit of the tier.
//
//	for i := range n { keys[i] = toKey(src[i]) } // as the form says
//	slices.Sort(keys)
//	for i := range n { dst[i] = fromKey(keys[i]) } // as the form says
//
//go:noescape
func NetworkI32(dst, src *int32, n int, form int)

// NetworkI64 is NetworkI32 for float64.
//
//go:noescape
func NetworkI64(dst, src *int64, n int, form int)
