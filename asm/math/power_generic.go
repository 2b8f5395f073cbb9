package math

import "unsafe"

// power returns base^degree by squaring, for a degree of at least 1.
func power[T float](base T, degree int) T {
	p := T(1)
	for ; degree > 1; degree /= 2 {
		if degree%2 == 1 {
			p *= base
		}
		base *= base
	}
	return p * base
}

func powerGeneric[T float](scale, offset T, degree int, v, y *T, n int) {
	values := unsafe.Slice(y, n)
	for j, v := range unsafe.Slice(v, n) {
		values[j] = power(T(scale*v)+offset, degree)
	}
}

func poweraddGeneric[T float](scale, offset, weight T, degree int, v, y *T, n int) {
	values := unsafe.Slice(y, n)
	for j, v := range unsafe.Slice(v, n) {
		values[j] += T(weight * power(T(scale*v)+offset, degree))
	}
}

func powerF32Generic(scale, offset float32, degree int, v, y *float32, n int) {
	powerGeneric(scale, offset, degree, v, y, n)
}

func powerF64Generic(scale, offset float64, degree int, v, y *float64, n int) {
	powerGeneric(scale, offset, degree, v, y, n)
}

func poweraddF32Generic(scale, offset, weight float32, degree int, v, y *float32, n int) {
	poweraddGeneric(scale, offset, weight, degree, v, y, n)
}

func poweraddF64Generic(scale, offset, weight float64, degree int, v, y *float64, n int) {
	poweraddGeneric(scale, offset, weight, degree, v, y, n)
}
