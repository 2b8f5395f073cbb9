package gonumblas_test

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// TestConditions: the estimates are gonum's, of well and badly conditioned matrices, and of singular ones, whose
// systems overflow.
func TestConditions(t *testing.T) {
	d := draw{prove.Rand(5), nil}
	for _, n := range []int{3, 16, 40, 90} {
		for _, least := range []float64{1, 1e-8, 1e-300, 0} {
			ld := n + 2
			a := d.matrix(n, n, ld)
			for i := range n {
				for j := range n {
					a[i*ld+j] *= 1 / float64(n)
				}
				a[i*ld+i] = 1
			}
			a[n/2*ld+n/2] = least
			work, iwork := make([]float64, 4*n), make([]int, n)
			check := func(name string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-6*want) { // the estimates' error grows with the condition
					t.Errorf("%s of %d with %g on the diagonal: %g, want %g", name, n, least, got, want)
				}
			}
			ours, theirs := gonumblas.Lapack{}, gonum.Implementation{}
			for _, norm := range []lapack.MatrixNorm{lapack.MaxColumnSum, lapack.MaxRowSum} {
				check("Dgecon", ours.Dgecon(norm, n, a, ld, 2, work, iwork), theirs.Dgecon(norm, n, a, ld, 2, work,
					iwork))
				for _, uplo := range uplos {
					for _, diag := range diags {
						check("Dtrcon", ours.Dtrcon(norm, uplo, diag, n, a, ld, work, iwork),
							theirs.Dtrcon(norm, uplo, diag, n, a, ld, work, iwork))
					}
				}
			}
			for _, uplo := range []blas.Uplo{blas.Lower, blas.Upper} {
				check("Dpocon", ours.Dpocon(uplo, n, a, ld, 2, work, iwork), theirs.Dpocon(uplo, n, a, ld, 2, work,
					iwork))
			}
		}
	}
}
