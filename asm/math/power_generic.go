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

func powerGeneric[T float](scale, offset, weight T, degree int, v, y *T, n, add int) {
	values := unsafe.Slice(y, n)
	for j, v := range unsafe.Slice(v, n) {
		p := power(T(scale*v)+offset, degree)
		if add != 0 {
			p = values[j] + T(weight*p)
		}
		values[j] = p
	}
}

func powerF32Generic(scale, offset, weight float32, degree int, v, y *float32, n, add int) {
	powerGeneric(scale, offset, weight, degree, v, y, n, add)
}

func powerF64Generic(scale, offset, weight float64, degree int, v, y *float64, n, add int) {
	powerGeneric(scale, offset, weight, degree, v, y, n, add)
}
