package reduce

import "unsafe"

// compressGeneric writes every element and steps on behind those that stay: no branch that could be predicted wrongly.
func compressGeneric[T float](x *T, n int, t T, val *T, idx *int32) (count int) {
	xs, vals, idxs := unsafe.Slice(x, n), unsafe.Slice(val, n), unsafe.Slice(idx, n)
	for i, v := range xs {
		vals[count], idxs[count] = v, int32(i)
		if v > t {
			count++
		}
	}
	return count
}

func compressF32Generic(x *float32, n int, t float32, val *float32, idx *int32) int {
	return compressGeneric(x, n, t, val, idx)
}

func compressF64Generic(x *float64, n int, t float64, val *float64, idx *int32) int {
	return compressGeneric(x, n, t, val, idx)
}
