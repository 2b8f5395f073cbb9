package sparse

import "unsafe"

// maxindexGeneric keeps two maxima, so that a comparison need not wait for the one before.
func maxindexGeneric(idx *int32, nnz int) uint32 {
	places := unsafe.Slice(idx, nnz)
	var a, b uint32
	k := 0
	for ; k+2 <= nnz; k += 2 {
		a, b = max(a, uint32(places[k])), max(b, uint32(places[k+1]))
	}
	if k < nnz {
		a = max(a, uint32(places[k]))
	}
	return max(a, b)
}
