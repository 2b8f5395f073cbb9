//go:build amd64 && !purego

package sparse

// DotF32 returns the inner product of a sparse vector and x.
//
//	for k := range nnz { sum += val[k] * x[idx[k]] }
//
//go:noescape
func DotF32(idx *int32, val *float32, nnz int, x *float32) float32

// DotF64 is DotF32 for float64.
//
//go:noescape
func DotF64(idx *int32, val *float64, nnz int, x *float64) float64
