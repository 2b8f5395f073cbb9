package math

import (
	"math"
	"unsafe"
)

// closeness is the part of |x|² + |z|² below which |x|² + |z|² - 2<x, z> has lost four bits or more. The generators
// have the same number.
const closeness = 1. / 16

// difference returns d = nx + nz - 2v from the rounded sum, itself rounded once, and whether it is near: not
// closeness times the sum or more, as NaN is not.
func difference[T float](nx, nz, v T) (d T, near bool) {
	sum := nx + nz
	if unsafe.Sizeof(v) == 4 {
		d = T(float64(sum) - 2*float64(v)) // more than twice the digits: the second rounding makes no difference
	} else {
		d = T(math.FMA(-2, float64(v), float64(sum)))
	}
	return d, !(d >= closeness*sum)
}

// expOf returns e^(alpha d), as ExpScaled does.
func expOf[T float](alpha, d T) T {
	product, low := float64(alpha)*float64(d), 0.0
	if unsafe.Sizeof(d) == 8 {
		low = math.FMA(float64(alpha), float64(d), -product)
	}
	return T(exp(product, low))
}

func gaussianGeneric[T float](nx, alpha, weight T, v, nz, y *T, n int, near *int32, add int) (count int) {
	products, norms, values := unsafe.Slice(v, n), unsafe.Slice(nz, n), unsafe.Slice(y, n)
	places := unsafe.Slice(near, n)
	for j := range values {
		d, isNear := difference(nx, norms[j], products[j])
		e := T(0)
		if isNear {
			places[count] = int32(j)
			count++
		} else {
			e = expOf(alpha, d)
		}
		if add != 0 {
			e = values[j] + T(weight*e)
		}
		values[j] = e
	}
	return count
}

func gaussianF32Generic(nx, alpha, weight float32, v, nz, y *float32, n int, near *int32, add int) int {
	return gaussianGeneric(nx, alpha, weight, v, nz, y, n, near, add)
}

func gaussianF64Generic(nx, alpha, weight float64, v, nz, y *float64, n int, near *int32, add int) int {
	return gaussianGeneric(nx, alpha, weight, v, nz, y, n, near, add)
}
