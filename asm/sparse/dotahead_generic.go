package sparse

import "unsafe"

// dotAheadGeneric asks before the sum where there is a kernel for that, and does not ask else.
func dotAheadGeneric[T float](idx *int32, val *T, nnz int, x *T, nextIdx *int32, nextVal *T, p, q, r *byte) T {
	size := int(unsafe.Sizeof(*val))
	PrefetchF32((*float32)(unsafe.Pointer(nextIdx)), nnz)
	PrefetchF32((*float32)(unsafe.Pointer(nextVal)), nnz*size/4)
	for _, line := range [...]*byte{p, q, r} {
		PrefetchF32((*float32)(unsafe.Pointer(line)), 1)
	}
	return dotGeneric(idx, val, nnz, x)
}

func dotaheadF32Generic(idx *int32, val *float32, nnz int, x *float32, nextIdx *int32, nextVal *float32,
	p, q, r *byte) float32 {
	return dotAheadGeneric(idx, val, nnz, x, nextIdx, nextVal, p, q, r)
}

func dotaheadF64Generic(idx *int32, val *float64, nnz int, x *float64, nextIdx *int32, nextVal *float64,
	p, q, r *byte) float64 {
	return dotAheadGeneric(idx, val, nnz, x, nextIdx, nextVal, p, q, r)
}
