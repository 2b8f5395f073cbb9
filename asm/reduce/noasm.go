//go:build !(amd64 || arm64) || purego

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

func MaxF32(x *float32, n int) float32 { return maxGeneric(x, n) }
func MaxF64(x *float64, n int) float64 { return maxGeneric(x, n) }
func MinF32(x *float32, n int) float32 { return minGeneric(x, n) }
func MinF64(x *float64, n int) float64 { return minGeneric(x, n) }
func ArgMaxF32(x *float32, n int) int  { return argmaxGeneric(x, n) }
func ArgMaxF64(x *float64, n int) int  { return argmaxGeneric(x, n) }
func ArgMinF32(x *float32, n int) int  { return argminGeneric(x, n) }
func ArgMinF64(x *float64, n int) int  { return argminGeneric(x, n) }

func ClipF32(dst, x *float32, n int, lo, hi float32) { clipGeneric(dst, x, n, lo, hi) }
func ClipF64(dst, x *float64, n int, lo, hi float64) { clipGeneric(dst, x, n, lo, hi) }
