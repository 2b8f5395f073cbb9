//go:build amd64 && !purego

package sparse

// MixedDot returns the inner product of a sparse vector and x in float64.
//
//	for k := range nnz { sum += float64(val[k]) * x[idx[k]] }
//
//go:noescape
func MixedDot(idx *int32, val *float32, nnz int, x *float64) float64

// MixedAxpy adds alpha times a sparse vector to y in float64.
//
//	for k := range nnz { y[idx[k]] += alpha * float64(val[k]) }
//
//go:noescape
func MixedAxpy(alpha float64, idx *int32, val *float32, nnz int, y *float64)
