package gonumblas

import (
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// Dsyev is gonum's Dsyev, several times faster: it computes by package vec, whatever BLAS gonum has. Small
// matrices, NaN, infinities and numbers that are to be scaled are left to gonum, and all with less room in work than it
// says it wants.
func (l Lapack) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64,
	lwork int) bool {
	room := 6*n + n*n + max(64*n, reductionRoom(n))
	if lwork == -1 {
		ok := l.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
		work[0] = max(work[0], float64(room))
		return ok
	}
	x := matrix(n, n, a, lda)
	vectors := jobz == lapack.EVCompute
	if !vectors && jobz != lapack.EVNone || !isUplo(uplo) || n < smallest || !sound(x) || len(w) < n || lwork < room ||
		lwork > len(work) {
		return l.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	if norm := l.Dlansy(lapack.MaxAbs, uplo, n, a, lda, work); norm != 0 && !moderate(norm) {
		return l.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	take := func(n int) (x []float64) {
		x, work = work[:n:n], work[n:]
		return x
	}
	work = work[:lwork]
	b := band{d: w[:n], e: take(n), rots: take(4 * n)}
	tau := take(n)
	square, full := vec.MatrixOf(n, n, take(n*n)), x
	if !vectors { // the other triangle of A is the caller's
		full = square
	}
	mirror(uplo == blas.Lower, x, full)
	r := newReduction(full, b.d, b.e[:n-1], tau[:n-1], work)
	r.run()
	if !vectors {
		return l.Dsterf(n, b.d, b.e[:n-1])
	}
	b.ut = square
	r.transposed(square)
	if !b.eigenvalues() {
		return false
	}
	transpose(square, x)
	return true
}
