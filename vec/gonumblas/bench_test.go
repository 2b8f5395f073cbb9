package gonumblas_test

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

func BenchmarkMatMul(b *testing.B) {
	bench(b, []int{16, 64, 256, 512}, func(b *testing.B, a *mat.Dense) {
		var c mat.Dense
		for b.Loop() {
			c.Mul(a, a)
		}
	})
}

func BenchmarkSVD(b *testing.B) {
	bench(b, []int{32, 256}, func(b *testing.B, a *mat.Dense) {
		var d mat.SVD
		for b.Loop() {
			d.Factorize(a, mat.SVDThin)
		}
	})
}

func BenchmarkSingularValues(b *testing.B) {
	bench(b, []int{32, 256}, func(b *testing.B, a *mat.Dense) {
		var d mat.SVD
		for b.Loop() {
			d.Factorize(a, mat.SVDNone)
		}
	})
}

func BenchmarkCholesky(b *testing.B) {
	bench(b, []int{64, 512}, func(b *testing.B, a *mat.Dense) {
		var s mat.SymDense
		s.SymOuterK(1, a)
		var d mat.Cholesky
		for b.Loop() {
			d.Factorize(&s)
		}
	})
}

func BenchmarkLU(b *testing.B) {
	bench(b, []int{64, 512}, func(b *testing.B, a *mat.Dense) {
		var d mat.LU
		for b.Loop() {
			d.Factorize(a)
		}
	})
}

func BenchmarkQR(b *testing.B) {
	bench(b, []int{64, 512}, func(b *testing.B, a *mat.Dense) {
		var d mat.QR
		for b.Loop() {
			d.Factorize(a)
		}
	})
}

func BenchmarkSolve(b *testing.B) {
	bench(b, []int{64, 512}, func(b *testing.B, a *mat.Dense) {
		var x, rhs mat.Dense
		rhs.CloneFrom(a.T())
		for b.Loop() {
			x.Solve(a, &rhs)
		}
	})
}

func BenchmarkEigenSym(b *testing.B) {
	bench(b, []int{32, 256}, func(b *testing.B, a *mat.Dense) {
		var s mat.SymDense
		s.SymOuterK(1, a)
		var d mat.EigenSym
		for b.Loop() {
			d.Factorize(&s, true)
		}
	})
}

func BenchmarkEigen(b *testing.B) {
	bench(b, []int{128}, func(b *testing.B, a *mat.Dense) {
		var d mat.Eigen
		for b.Loop() {
			d.Factorize(a, mat.EigenRight)
		}
	})
}

// bench times gonum on top of our implementation and on its own.
func bench(b *testing.B, sizes []int, run func(b *testing.B, a *mat.Dense)) {
	for _, n := range sizes {
		r := prove.Rand(1)
		data := make([]float64, n*n)
		for i := range data {
			data[i] = r.NormFloat64()
		}
		for _, impl := range []string{"dualgap", "gonum"} {
			b.Run(fmt.Sprintf("n=%d/impl=%s", n, impl), func(b *testing.B) {
				if impl == "dualgap" {
					use(b)
				}
				run(b, mat.NewDense(n, n, data))
			})
		}
	}
}

// gonumAlone undoes Use.
func gonumAlone() {
	blas32.Use(gonum.Implementation{})
	blas64.Use(gonum.Implementation{})
	lapack64.Use(lapackgonum.Implementation{})
}
