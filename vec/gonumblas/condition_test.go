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

// TestConditionPanics: with less room than gonum wants condition numbers panic as gonum's do, and not with just that.
func TestConditionPanics(t *testing.T) {
	const n = 20
	a := make([]float64, n*n)
	for i := range n {
		a[i*n+i] = 2
	}
	for name, c := range map[string]struct {
		work int // the least
		call func(l lapack.Float64, work []float64, iwork []int)
	}{
		"Dgecon": {4 * n, func(l lapack.Float64, work []float64, iwork []int) {
			l.Dgecon(lapack.MaxColumnSum, n, a, n, 2, work, iwork)
		}},
		"Dpocon": {3 * n, func(l lapack.Float64, work []float64, iwork []int) {
			l.Dpocon(blas.Upper, n, a, n, 4, work, iwork)
		}},
		"Dtrcon": {3 * n, func(l lapack.Float64, work []float64, iwork []int) {
			l.Dtrcon(lapack.MaxRowSum, blas.Lower, blas.NonUnit, n, a, n, work, iwork)
		}},
	} {
		for _, lack := range [][2]int{{0, 0}, {1, 0}, {0, 1}} {
			fault := func(l lapack.Float64) (fault any) {
				defer func() { fault = recover() }()
				c.call(l, make([]float64, c.work-lack[0]), make([]int, n-lack[1]))
				return nil
			}
			got, want := fault(gonumblas.Lapack{}), fault(gonum.Implementation{})
			if got != want || (want != nil) != (lack != [2]int{}) {
				t.Errorf("%s with %v less than the least room: panic %v, want %v", name, lack, got, want)
			}
		}
	}
}
