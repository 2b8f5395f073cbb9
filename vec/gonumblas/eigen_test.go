package gonumblas_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// noBLAS panics where it is called.
type noBLAS struct{ blas.Float64 }

// TestEigenAlone: Dsyev has the eigenvalues that gonum's has, of either triangle, with a stride, without a call of
// gonum's BLAS, and neither reads nor writes the other triangle when values are all that is wanted.
func TestEigenAlone(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		for _, n := range []int{16, 31, 32, 33, 64, 65, 100} {
			for name, a := range matrices(n, n) {
				if name == "tiny" || name == "huge" {
					continue // these are left to gonum, and its BLAS
				}
				for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
					if err := checkAlone(a, uplo); err != nil {
						t.Errorf("%v: %s of %d, %c: %v", tier, name, n, uplo, err)
					}
				}
			}
		}
	})
}

// TestEigenPanics: arguments that fit no problem make Dsyev panic as gonum's does.
func TestEigenPanics(t *testing.T) {
	const n = 20
	type arguments struct {
		job       lapack.EVJob
		uplo      blas.Uplo
		n, lda    int
		a, values int // numbers
		work      int
		lwork     int
	}
	sound := arguments{lapack.EVCompute, blas.Upper, n, n, n * n, n, 100 * n, 100 * n}
	call := func(l lapack.Float64, g arguments) (fault any) {
		defer func() { fault = recover() }()
		a, values, work := make([]float64, g.a), make([]float64, g.values), make([]float64, g.work)
		l.Dsyev(g.job, g.uplo, g.n, a, g.lda, values, work, g.lwork)
		return nil
	}
	for k, spoil := range []func(g *arguments){
		func(g *arguments) { g.job = 'x' }, func(g *arguments) { g.uplo = 'x' }, func(g *arguments) { g.uplo = 0 },
		func(g *arguments) { g.n = -1 }, func(g *arguments) { g.lda = n - 1 }, func(g *arguments) { g.a = n*n - 1 },
		func(g *arguments) { g.values = n - 1 }, func(g *arguments) { g.work = 100*n - 1 },
		func(g *arguments) { g.lwork = 3*n - 2 }, func(g *arguments) { g.lwork = -2 },
	} {
		g := sound
		spoil(&g)
		want := call(gonum.Implementation{}, g)
		if got := call(gonumblas.Lapack{}, g); want == nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("change %d: panic %v, want %v", k, got, want)
		}
	}
	if fault := call(gonumblas.Lapack{}, sound); fault != nil {
		t.Error(fault)
	}
}

func checkAlone(a *mat.Dense, uplo blas.Uplo) error {
	n, _ := a.Dims()
	lda := n + 3
	stored := make([]float64, n*lda)
	norm := 0.0
	for i := range stored {
		stored[i] = prove.Poison[float64]()
		r, c := i/lda, i%lda
		if c < n && (c >= r && uplo == blas.Upper || c <= r && uplo == blas.Lower) {
			stored[i] = a.At(min(r, c), max(r, c))
			norm = math.Hypot(norm, stored[i])
		}
	}
	want, work := make([]float64, n), make([]float64, 64*n)
	if !(gonum.Implementation{}).Dsyev(lapack.EVNone, uplo, n, append([]float64(nil), stored...), lda, want, work,
		len(work)) {
		return fmt.Errorf("gonum has no eigenvalues")
	}
	kept := blas64.Implementation()
	blas64.Use(noBLAS{})
	defer blas64.Use(kept)
	var l gonumblas.Lapack
	for _, job := range []lapack.EVJob{lapack.EVNone, lapack.EVCompute} {
		values, room, x := make([]float64, n), make([]float64, 1), append([]float64(nil), stored...)
		l.Dsyev(job, uplo, n, x, lda, values, room, -1)
		work := make([]float64, int(room[0]))
		if !l.Dsyev(job, uplo, n, x, lda, values, work, len(work)) {
			return fmt.Errorf("%c: no convergence", job)
		}
		for i, v := range values {
			if !(math.Abs(v-want[i]) <= 2*backward(n)*norm) { // both are off by a backward error
				return fmt.Errorf("%c: value %d is %v, gonum's %v", job, i, v, want[i])
			}
		}
		for i, v := range x {
			r, c := i/lda, i%lda
			theirs := c >= n || job == lapack.EVNone && (c < r) == (uplo == blas.Upper) && c != r
			if theirs && math.Float64bits(v) != math.Float64bits(stored[i]) {
				return fmt.Errorf("%c: (%d, %d) was written to", job, r, c)
			}
		}
	}
	return nil
}
