//go:build (amd64 || arm64) && !purego

package reduce

// CompressF32 copies the elements of x[:n] above t, in order, to val, and their positions to idx, and returns their
// number. NaN is above nothing.
//
//	for i := range n { if x[i] > t { val[count], idx[count] = x[i], i; count++ } }
//
// val and idx have room for n elements; those behind the last one copied are left in any state. val may be x. n is less
// than 2³¹.
//
//go:noescape
func CompressF32(x *float32, n int, t float32, val *float32, idx *int32) int

// CompressF64 is CompressF32 for float64.
//
//go:noescape
func CompressF64(x *float64, n int, t float64, val *float64, idx *int32) int
