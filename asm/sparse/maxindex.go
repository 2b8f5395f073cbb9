//go:build (amd64 || arm64) && !purego

package sparse

// MaxIndex returns the largest of idx[:nnz] as integers without a sign, 0 if there is none: all lead into n elements if
// it is less than n, for a negative one would be 2³¹ or more.
//
//	for k := range nnz { m = max(m, uint32(idx[k])) }
//
//go:noescape
func MaxIndex(idx *int32, nnz int) uint32
