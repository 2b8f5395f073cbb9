package gemm

import "unsafe"

func isF32[T float]() bool { return unsafe.Sizeof(*new(T)) == 4 }

func f32[T float](p *T) *float32 { return (*float32)(unsafe.Pointer(p)) }
func f64[T float](p *T) *float64 { return (*float64)(unsafe.Pointer(p)) }

// The kernels for either element.

func tiles[T float](m, n, k int, alpha T, a *T, ars, acs, mr, apanel int, b *T, ldb, nr, bpanel int, beta T, c *T,
	ldc int) {
	if isF32[T]() {
		TilesF32(m, n, k, float32(alpha), f32(a), ars, acs, mr, apanel, f32(b), ldb, nr, bpanel, float32(beta), f32(c),
			ldc)
	} else {
		TilesF64(m, n, k, float64(alpha), f64(a), ars, acs, mr, apanel, f64(b), ldb, nr, bpanel, float64(beta), f64(c),
			ldc)
	}
}

func packRows[T float](m, n int, src *T, lds int, dst *T, ldd int) {
	if isF32[T]() {
		PackRowsF32(m, n, f32(src), lds, f32(dst), ldd)
	} else {
		PackRowsF64(m, n, f64(src), lds, f64(dst), ldd)
	}
}

func packColumns[T float](m, n int, src *T, lds int, dst *T, ldd int) {
	if isF32[T]() {
		PackColumnsF32(m, n, f32(src), lds, f32(dst), ldd)
	} else {
		PackColumnsF64(m, n, f64(src), lds, f64(dst), ldd)
	}
}

func dots[T float](m, n, k int, alpha T, a *T, lda int, b *T, ldb, nr int, beta T, c *T, ldc int) {
	if isF32[T]() {
		DotsF32(m, n, k, float32(alpha), f32(a), lda, f32(b), ldb, nr, float32(beta), f32(c), ldc)
	} else {
		DotsF64(m, n, k, float64(alpha), f64(a), lda, f64(b), ldb, nr, float64(beta), f64(c), ldc)
	}
}

func transpose[T float](m, n int, src *T, lds int, beta T, dst *T, ldd int) {
	if isF32[T]() {
		TransposeF32(m, n, f32(src), lds, float32(beta), f32(dst), ldd)
	} else {
		TransposeF64(m, n, f64(src), lds, float64(beta), f64(dst), ldd)
	}
}
