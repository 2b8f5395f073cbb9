package blas

import "unsafe"

// The twins of the kernels of two element types. A float32 is a float64 exactly, so that nothing rounds but what rounds
// in the twins of one type.

// mixeddotGeneric keeps four sums, as dotGeneric does.
func mixeddotGeneric(x *float32, y *float64, n int) float64 {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= n; i += 4 {
		a, b := xs[i:i+4:i+4], ys[i:i+4:i+4]
		s0 += float64(a[0]) * b[0]
		s1 += float64(a[1]) * b[1]
		s2 += float64(a[2]) * b[2]
		s3 += float64(a[3]) * b[3]
	}
	for ; i < n; i++ {
		s0 += float64(xs[i]) * ys[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func mixedaxpyGeneric(alpha float64, x *float32, y *float64, n int) {
	ys := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		ys[i] += alpha * float64(v)
	}
}

func mixedgemvGeneric(m, n int, alpha float64, a *float32, lda int, x *float64, beta float64, y *float64) {
	for i, ys := 0, unsafe.Slice(y, max(m, 0)); i < m; i++ {
		var s float64
		if n > 0 {
			s = alpha * mixeddotGeneric(at(a, i*lda), x, n)
		}
		if beta != 0 {
			s += beta * ys[i]
		}
		ys[i] = s
	}
}

// mixedgemvtGeneric adds row after row, so that it reads A in the order in which it lies.
func mixedgemvtGeneric(m, n int, alpha float64, a *float32, lda int, x *float64, beta float64, y *float64) {
	if n <= 0 {
		return
	}
	if beta == 0 {
		clear(unsafe.Slice(y, n))
	} else {
		scalGeneric(beta, y, n)
	}
	for i, v := range unsafe.Slice(x, max(m, 0)) {
		mixedaxpyGeneric(alpha*v, at(a, i*lda), y, n)
	}
}
