//go:build !amd64 || purego

package sparse

// NEON would fetch one element after the other as the twin does.

//go:noinline
func DotF32(idx *int32, val *float32, nnz int, x *float32) float32 {
	return dotGeneric(idx, val, nnz, x)
}

//go:noinline
func DotF64(idx *int32, val *float64, nnz int, x *float64) float64 {
	return dotGeneric(idx, val, nnz, x)
}

//go:noinline
func DotAheadF32(idx *int32, val *float32, nnz int, x *float32, nextIdx *int32, nextVal *float32,
	p, q, r *byte) float32 {
	return dotAheadGeneric(idx, val, nnz, x, nextIdx, nextVal, p, q, r)
}

//go:noinline
func DotAheadF64(idx *int32, val *float64, nnz int, x *float64, nextIdx *int32, nextVal *float64,
	p, q, r *byte) float64 {
	return dotAheadGeneric(idx, val, nnz, x, nextIdx, nextVal, p, q, r)
}

//go:noinline
func AxpyF32(alpha float32, idx *int32, val *float32, nnz int, y *float32) {
	axpyGeneric(alpha, idx, val, nnz, y)
}

//go:noinline
func AxpyF64(alpha float64, idx *int32, val *float64, nnz int, y *float64) {
	axpyGeneric(alpha, idx, val, nnz, y)
}

//go:noinline
func MixedDot(idx *int32, val *float32, nnz int, x *float64) float64 {
	return dotGeneric(idx, val, nnz, x)
}

//go:noinline
func MixedAxpy(alpha float64, idx *int32, val *float32, nnz int, y *float64) {
	axpyGeneric(alpha, idx, val, nnz, y)
}
