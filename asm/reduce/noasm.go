//go:build !amd64 || purego

package reduce

// Without assembly each kernel is its twin.

func SumAboveF32(x *float32, n int, t float32) (sum float32, count int) {
	return sumaboveGeneric(x, n, t)
}

func SumAboveF64(x *float64, n int, t float64) (sum float64, count int) {
	return sumaboveGeneric(x, n, t)
}

func CompressF32(x *float32, n int, t float32, val *float32, idx *int32) int {
	return compressGeneric(x, n, t, val, idx)
}

func CompressF64(x *float64, n int, t float64, val *float64, idx *int32) int {
	return compressGeneric(x, n, t, val, idx)
}
