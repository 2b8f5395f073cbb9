package reduce

import "unsafe"

func sumaboveGeneric[T float](x *T, n int, t T) (sum T, count int) {
	for _, v := range unsafe.Slice(x, n) {
		if v > t {
			sum += v - t
			count++
		}
	}
	return sum, count
}

func sumaboveF32Generic(x *float32, n int, t float32) (sum float32, count int) {
	return sumaboveGeneric(x, n, t)
}

func sumaboveF64Generic(x *float64, n int, t float64) (sum float64, count int) {
	return sumaboveGeneric(x, n, t)
}
