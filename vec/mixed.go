package vec

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/blas"
)

// MixedDot returns the inner product Σ x_i y_i of float32 data with a float64 vector, computed in float64: what [Dot]
// returns after x was converted, without the copy. It is 0 for empty vectors and panics when the lengths differ. It is
// inlined.
func MixedDot(x []float32, y []float64) float64 {
	if len(x) != len(y) {
		panic(lengths{mixedDot, len(x), len(y)})
	}
	return blas.MixedDot(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// MixedAxpy adds alpha x, float32 data, to the float64 vector y: [Axpy] in float64 without a copy of x. x and y must
// not overlap. It panics when the lengths differ. It is inlined.
func MixedAxpy(alpha float64, x []float32, y []float64) {
	if len(x) != len(y) {
		panic(lengths{mixedAxpy, len(x), len(y)})
	}
	blas.MixedAxpy(alpha, unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// MixedGemv sets y = alpha A x + beta y in float64, for a matrix of float32 data: [Gemv] in float64 without a copy of
// A. x has a.Cols elements and y has a.Rows. With beta = 0 the old y is not read. y may overlap neither a nor x. It
// panics unless the sizes agree.
func MixedGemv(alpha float64, a Matrix[float32], x []float64, beta float64, y []float64) {
	a.fit("MixedGemv", len(y), len(x))
	blas.MixedGemv(a.Rows, a.Cols, alpha, ptr32(a.Data), a.Stride, ptr64(x), beta, ptr64(y))
}

// MixedGemvT sets y = alpha Aᵀ x + beta y in float64, for a matrix of float32 data: [GemvT] in float64 without a copy
// of A. x has a.Rows elements and y has a.Cols. With beta = 0 the old y is not read. y may overlap neither a nor x. It
// panics unless the sizes agree.
func MixedGemvT(alpha float64, a Matrix[float32], x []float64, beta float64, y []float64) {
	a.fit("MixedGemvT", len(x), len(y))
	blas.MixedGemvT(a.Rows, a.Cols, alpha, ptr32(a.Data), a.Stride, ptr64(x), beta, ptr64(y))
}
