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
