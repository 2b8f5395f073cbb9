//go:build (amd64 || arm64) && !purego

package sparse

// TakeF32 copies the elements of x at the n places idx, which are not negative, to dst. dst and x do not overlap.
//
//	for k := range n { dst[k] = x[idx[k]] }
//
//go:noescape
func TakeF32(dst, x *float32, idx *int, n int)

// TakeF64 is TakeF32 for float64.
//
//go:noescape
func TakeF64(dst, x *float64, idx *int, n int)

// MixedTake is TakeF32 into float64.
//
//	for k := range n { dst[k] = float64(x[idx[k]]) }
//
//go:noescape
func MixedTake(dst *float64, x *float32, idx *int, n int)
