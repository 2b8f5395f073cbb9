// Package gonumblas puts the kernels of package vec under gonum: an implementation of the BLAS that gonum's packages
// can use in place of their own.
//
//	gonumblas.Use() // once, in main or an init function
//
// From then on blas32, blas64 and lapack64 compute with it, and so do all packages built on those: mat, stat, optimize
// and others. [Implementation] and [Lapack] can also be called by name.
//
// # What is faster
//
// Routines of float32 and float64 that have an implementation here:
//
//	level 1   dot, axpy, scal, asum, nrm2
//	level 2   gemv, ger, symv, syr, syr2, trmv, trsv
//	level 3   gemm, symm, syrk, syr2k, trmm, trsm
//
// Vectors of level 1 must lie without gaps for that; level 2 takes any increment (trmv and trsv only up to 128
// elements). All else is gonum's own code: banded and packed matrices, rotations, swap, copy, complex numbers.
//
// Decompositions run on these. Two of them spend their time elsewhere in gonum, applying rotations one by one, and have
// an implementation here that applies whole sequences: singular values with vectors ([Lapack.Dgesvd], mat.SVD) and
// symmetric eigenvalues ([Lapack.Dsyev], mat.EigenSym), which needs no [Use]: it also has a reduction to tridiagonal
// form of its own. So have the condition numbers that mat estimates with every LU, QR and Cholesky factorization.
//
// The gain grows with the level: gonum's products of matrices run in SSE2, and those here run near the limit of the
// machine. A product of large matrices is shared among GOMAXPROCS goroutines, as gonum's is. Package vec says which
// kernels run, and DUALGAP_TIER=generic, or the build tag purego, does without assembly.
//
// # What stays the same
//
// Arguments are checked as gonum checks them, and wrong ones cause the same panics. Quick returns are the same: with
// beta = 0 results are overwritten without being read, with alpha = 0 the operands are not read. The last bits of
// results differ, as sums are added in another order, within the bounds that package vec states. gonum's products skip
// zeros, so that there 0 times infinity or NaN can be 0; here it is NaN.
//
// Nothing allocates, except products that start goroutines and decompositions, where gonum does.
package gonumblas

import (
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Implementation is gonum's implementation of the BLAS, with routines of its own where kernels of package vec serve. It
// satisfies blas.Float32, blas.Float64, blas.Complex64 and blas.Complex128, and is safe for concurrent use.
type Implementation struct{ gonum.Implementation }

// Use lets blas32 and blas64 compute with [Implementation] and lapack64 with [Lapack]. As they keep their choice in a
// variable, call it before other goroutines use them.
func Use() {
	blas32.Use(Implementation{})
	blas64.Use(Implementation{})
	lapack64.Use(Lapack{})
}
