package gemm

import "unsafe"

// wholeGroups rounds n up to a whole number of groups of 32 bytes.
func wholeGroups[T float](n int) int {
	group := int(32 / unsafe.Sizeof(*new(T)))
	return (n + group - 1) / group * group
}

func packrowsGeneric[T float](m, n int, src *T, lds int, dst *T, ldd int) {
	if n <= 0 {
		return
	}
	for i := range m {
		row := unsafe.Slice(at(dst, i*ldd), wholeGroups[T](n))
		clear(row[copy(row, unsafe.Slice(at(src, i*lds), n)):])
	}
}

func packcolumnsGeneric[T float](m, n int, src *T, lds int, dst *T, ldd int) {
	if m <= 0 || n <= 0 {
		return
	}
	for i := range wholeGroups[T](m) {
		for j, v := range unsafe.Slice(at(src, min(i, m-1)*lds), n) {
			*at(dst, j*ldd+i) = v
		}
	}
}

func packrowsF32Generic(m, n int, src *float32, lds int, dst *float32, ldd int) {
	packrowsGeneric(m, n, src, lds, dst, ldd)
}

func packrowsF64Generic(m, n int, src *float64, lds int, dst *float64, ldd int) {
	packrowsGeneric(m, n, src, lds, dst, ldd)
}

func packcolumnsF32Generic(m, n int, src *float32, lds int, dst *float32, ldd int) {
	packcolumnsGeneric(m, n, src, lds, dst, ldd)
}

func packcolumnsF64Generic(m, n int, src *float64, lds int, dst *float64, ldd int) {
	packcolumnsGeneric(m, n, src, lds, dst, ldd)
}

func transposeGeneric[T float](m, n int, src *T, lds int, beta T, dst *T, ldd int) {
	for i := range m {
		for j, v := range unsafe.Slice(at(src, i*lds), n) {
			to := at(dst, j*ldd+i)
			if beta != 0 {
				v += T(beta * *to)
			}
			*to = v
		}
	}
}

func transposeF32Generic(m, n int, src *float32, lds int, beta float32, dst *float32, ldd int) {
	transposeGeneric(m, n, src, lds, beta, dst, ldd)
}

func transposeF64Generic(m, n int, src *float64, lds int, beta float64, dst *float64, ldd int) {
	transposeGeneric(m, n, src, lds, beta, dst, ldd)
}
