//go:build amd64 && !purego

package sparse

// AxpyF32 adds alpha times a sparse vector to y.
//
//	for k := range nnz { y[idx[k]] += alpha * val[k] }
//
//go:noescape
func AxpyF32(alpha float32, idx *int32, val *float32, nnz int, y *float32)

// AxpyF64 is AxpyF32 for float64.
//
//go:noescape
func AxpyF64(alpha float64, idx *int32, val *float64, nnz int, y *float64)
