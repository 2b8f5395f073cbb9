package gonumblas

import (
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// Implementation is gonum's implementation of the BLAS, with routines of its own where kernels of package vec serve.
// It satisfies blas.Float32, blas.Float64, blas.Complex64 and blas.Complex128, and is safe for concurrent use.
type Implementation struct{ gonum.Implementation }

// Use lets blas32 and blas64 compute by Implementation.
func Use() {
	blas32.Use(Implementation{})
	blas64.Use(Implementation{})
}

// A sum of squares at least this large has lost nothing that counts to terms that underflowed: each of them errs by at
// most half the smallest denormal, 2⁻¹⁵⁰ or 2⁻¹⁰⁷⁵, so that 2³¹ of them change the sum by less than 2⁻²⁶ or 2⁻⁷⁴ of it.
const (
	safeSquare32 = 0x1p-93
	safeSquare64 = 0x1p-970
)
