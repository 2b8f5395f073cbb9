package sparse

import "unsafe"

// dotGeneric keeps four sums, as wide as scalar units can use.
func dotGeneric[S, T float](idx *int32, val *S, nnz int, x *T) T {
	places, vals := unsafe.Slice(idx, nnz), unsafe.Slice(val, nnz)
	var s0, s1, s2, s3 T
	k := 0
	for ; k+4 <= nnz; k += 4 {
		p, v := places[k:k+4:k+4], vals[k:k+4:k+4]
		s0 += T(v[0]) * *at(x, int(p[0]))
		s1 += T(v[1]) * *at(x, int(p[1]))
		s2 += T(v[2]) * *at(x, int(p[2]))
		s3 += T(v[3]) * *at(x, int(p[3]))
	}
	for ; k < nnz; k++ {
		s0 += T(vals[k]) * *at(x, int(places[k]))
	}
	return (s0 + s1) + (s2 + s3)
}

func dotF32Generic(idx *int32, val *float32, nnz int, x *float32) float32 {
	return dotGeneric(idx, val, nnz, x)
}

func dotF64Generic(idx *int32, val *float64, nnz int, x *float64) float64 {
	return dotGeneric(idx, val, nnz, x)
}

func mixeddotGeneric(idx *int32, val *float32, nnz int, x *float64) float64 {
	return dotGeneric(idx, val, nnz, x)
}
