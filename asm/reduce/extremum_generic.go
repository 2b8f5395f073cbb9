package reduce

import (
	"math"
	"unsafe"
)

// A NaN ends each search: nothing takes precedence over the first of them.

func maxGeneric[T float](x *T, n int) T {
	m := T(math.Inf(-1))
	for _, v := range unsafe.Slice(x, n) {
		if v != v {
			return v
		}
		if v > m {
			m = v
		}
	}
	return m
}

func minGeneric[T float](x *T, n int) T {
	m := T(math.Inf(1))
	for _, v := range unsafe.Slice(x, n) {
		if v != v {
			return v
		}
		if v < m {
			m = v
		}
	}
	return m
}

func argmaxGeneric[T float](x *T, n int) int {
	m, arg := T(math.Inf(-1)), min(n, 1)-1 // where all are -Inf it is the first
	for i, v := range unsafe.Slice(x, n) {
		if v != v {
			return i
		}
		if v > m {
			m, arg = v, i
		}
	}
	return arg
}

func argminGeneric[T float](x *T, n int) int {
	m, arg := T(math.Inf(1)), min(n, 1)-1
	for i, v := range unsafe.Slice(x, n) {
		if v != v {
			return i
		}
		if v < m {
			m, arg = v, i
		}
	}
	return arg
}

func maxF32Generic(x *float32, n int) float32 { return maxGeneric(x, n) }
func maxF64Generic(x *float64, n int) float64 { return maxGeneric(x, n) }
func minF32Generic(x *float32, n int) float32 { return minGeneric(x, n) }
func minF64Generic(x *float64, n int) float64 { return minGeneric(x, n) }
func argmaxF32Generic(x *float32, n int) int  { return argmaxGeneric(x, n) }
func argmaxF64Generic(x *float64, n int) int  { return argmaxGeneric(x, n) }
func argminF32Generic(x *float32, n int) int  { return argminGeneric(x, n) }
func argminF64Generic(x *float64, n int) int  { return argminGeneric(x, n) }
