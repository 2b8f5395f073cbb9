package main

import (
	"runtime"

	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// decompositions are what gonum's mat does on top of whatever BLAS is in use: ours plays against gonum's own. on returns the
// call to be timed, which reuses its memory as far as mat does, and a number that follows from its result; plain finds that
// number without it.
var decompositions = map[string]struct {
	on    func(a *mat.Dense) (call func(), result func() float64)
	plain func(a *mat.Dense) float64
}{
	"MatMul": {
		on: func(a *mat.Dense) (func(), func() float64) {
			var c mat.Dense
			return func() { c.Mul(a, a) }, func() float64 { return mat.Sum(&c) }
		},
		plain: func(a *mat.Dense) (sum float64) {
			n, _ := a.Dims()
			for i := range n {
				sum += mat.Sum(a.ColView(i)) * mat.Sum(a.RowView(i))
			}
			return sum
		},
	},
	"MatSVD": {
		on: func(a *mat.Dense) (func(), func() float64) {
			var d mat.SVD
			return func() { d.Factorize(a, mat.SVDThin) }, func() float64 { return sumOfSquares(d.Values(nil)) }
		},
		plain: func(a *mat.Dense) float64 { return sumOfSquares(a.RawMatrix().Data) },
	},
	"MatEigenSym": {
		on: func(a *mat.Dense) (func(), func() float64) {
			var d mat.EigenSym
			return func() { d.Factorize(upper(a), true) }, func() float64 { return sumOfSquares(d.Values(nil)) }
		},
		plain: func(a *mat.Dense) float64 { return sumOfSquares(mat.DenseCopyOf(upper(a)).RawMatrix().Data) },
	},
	"MatCholesky": {
		on: func(a *mat.Dense) (func(), func() float64) {
			var d mat.Cholesky
			return func() { d.Factorize(upper(a)) }, func() float64 { return sumOfSquares(mat.DenseCopyOf(d.RawU()).RawMatrix().Data) }
		},
		plain: func(a *mat.Dense) float64 { return mat.Trace(a) },
	},
	"MatSolve": {
		on: func(a *mat.Dense) (func(), func() float64) {
			var d mat.LU
			var x, b mat.Dense
			solve := func() {
				d.Factorize(a)
				if d.SolveTo(&x, false, a.T()) != nil {
					x.Zero()
				}
			}
			return solve, func() float64 { b.Mul(a, &x); return mat.Sum(&b) }
		},
		plain: func(a *mat.Dense) float64 { return mat.Sum(a) },
	},
}

func init() {
	for name, d := range decompositions {
		dualgap64[name] = onGonum(gonumblas.Use, d.on)
		gonum64[name] = onGonum(gonumAlone, d.on)
	}
}

// onGonum holds gonum, which would use all of them, to one processor.
func onGonum(use func(), on func(a *mat.Dense) (call func(), result func() float64)) loop[float64] {
	return func(p *operands[float64], iters int) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		use()
		defer gonumAlone()
		call, result := on(dense(p))
		for range iters {
			call()
		}
		p.settle = func() { p.out = result() }
	}
}

// gonumAlone undoes gonumblas.Use.
func gonumAlone() {
	blas32.Use(gonum.Implementation{})
	blas64.Use(gonum.Implementation{})
	lapack64.Use(lapack.Implementation{})
}

func dense(p *operands[float64]) *mat.Dense { return mat.NewDense(p.a.Rows, p.a.Cols, p.a.Data) }

// upper is the symmetric matrix with a's upper triangle.
func upper(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	return mat.NewSymDense(n, a.RawMatrix().Data)
}

func sumOfSquares(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}
