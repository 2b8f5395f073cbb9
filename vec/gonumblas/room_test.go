package gonumblas_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// TestRoomOfSVD: Dgesvd gives the same bits with the room that it wants and with the least that LAPACK allows, where it
// allocates, and writes to no number behind lwork, whatever was in U and V before. What it wants stands in work
// afterwards too.
func TestRoomOfSVD(t *testing.T) {
	const lda, beyond = 43, 500
	var l gonumblas.Lapack
	for _, size := range [][2]int{{16, 16}, {17, 20}, {40, 17}, {17, 40}} {
		m, n := size[0], size[1]
		k := min(m, n)
		from := make([]float64, m*lda)
		for i, v := range (draw{prove.Rand(uint64(m + n)), nil}).matrix(m, n, n) {
			from[i/n*lda+i%n] = v
		}
		call := func(lwork int, before float64) (values, work []float64, allocs float64) {
			a, values := make([]float64, len(from)), make([]float64, k)
			u, vt := slices.Repeat([]float64{before}, m*m), slices.Repeat([]float64{before}, n*n)
			work = slices.Repeat([]float64{prove.Poison[float64]()}, lwork+beyond)
			allocs = prove.Allocs(1, func() {
				copy(a, from)
				work[0] = 0
				if !l.Dgesvd(lapack.SVDAll, lapack.SVDAll, m, n, a, lda, values, u, m, vt, n, work, lwork) {
					t.Fatal("no convergence")
				}
			})
			for i, v := range work[lwork:] {
				if math.Float64bits(v) != math.Float64bits(prove.Poison[float64]()) {
					t.Fatalf("%v: number %d behind a room of %d was written to", size, i, lwork)
				}
			}
			return append(append(values, u...), vt...), work, allocs
		}
		room := make([]float64, 1)
		l.Dgesvd(lapack.SVDAll, lapack.SVDAll, m, n, slices.Clone(from), lda, make([]float64, k),
			make([]float64, m*m), m, make([]float64, n*n), n, room, -1)
		want, work, _ := call(int(room[0]), 0)
		wanted := int(work[0])
		if wanted < 8*k || wanted > int(room[0]) {
			t.Fatalf("%v: a room of %v is wanted, and %d afterwards", size, room[0], wanted)
		}
		least := max(3*k+max(m, n), 5*k)
		same, _, without := call(wanted, math.NaN())
		few, _, with := call(least, math.NaN())
		if !slices.Equal(same, want) || !slices.Equal(few, want) {
			t.Errorf("%v: other bits in a room of %d or %d", size, wanted, least)
		}
		if _, _, short := call(wanted-1, 0); max(with, 1) != without+1 || short != with {
			t.Errorf("%v: %v allocations in a room of %d, %v in one less, %v in %d", size, without, wanted, short, with,
				least)
		}
		mustPanic(t, "a work that is too short", func() {
			l.Dgesvd(lapack.SVDNone, lapack.SVDNone, m, n, slices.Clone(from), lda, make([]float64, k), nil, 1, nil, 1,
				make([]float64, least-1), least)
		})
		mustPanic(t, "too few singular values", func() {
			l.Dgesvd(lapack.SVDNone, lapack.SVDNone, m, n, slices.Clone(from), lda, make([]float64, k-1), nil, 1, nil,
				1, make([]float64, wanted), wanted)
		})
		mustPanic(t, "an ldu of 0", func() {
			l.Dgesvd(lapack.SVDNone, lapack.SVDNone, m, n, slices.Clone(from), lda, make([]float64, k), nil, 0, nil, 1,
				make([]float64, wanted), wanted)
		})
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("no panic for %s", what)
		}
	}()
	f()
}

// TestEigenLeft: with less room than Dsyev wants, and where numbers are to be scaled, it is gonum's, to the bit, and so
// are its panics.
func TestEigenLeft(t *testing.T) {
	const n = 20
	var l gonumblas.Lapack
	for _, c := range []struct {
		by    float64
		lwork int
		w     int
	}{{1, 64 * n, n}, {1, 64 * n, n - 1}, {1e-160, 5000, n}, {1e160, 5000, n}, {1, 5000, n - 1}} {
		from := (draw{prove.Rand(3), nil}).matrix(n, n, n)
		for i := range from {
			from[i] *= c.by
		}
		call := func(of lapack.Float64) (a, w []float64, ok bool, fault any) {
			a, w = slices.Clone(from), make([]float64, c.w)
			defer func() { fault = recover() }()
			ok = of.Dsyev(lapack.EVCompute, blas.Upper, n, a, n, w, make([]float64, c.lwork), c.lwork)
			return
		}
		a, w, ok, fault := call(l)
		wantA, wantW, wantOK, want := call(gonum.Implementation{})
		if !slices.Equal(a, wantA) || !slices.Equal(w, wantW) || ok != wantOK || fault != want {
			t.Errorf("%+v: %v, %t, panic %v, want %v, %t, %v", c, w, ok, fault, wantW, wantOK, want)
		}
	}
}
