package gonumblas

import (
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// Dsyev is gonum's Dsyev, several times faster when vectors are wanted. The rest is left to gonum as by Dgesvd.
func (l Lapack) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64,
	lwork int) bool {
	room := 6*n + n*n + 64*n
	if lwork == -1 {
		ok := l.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
		work[0] = max(work[0], float64(room))
		return ok
	}
	x := matrix(n, n, a, lda)
	if jobz != lapack.EVCompute || !isUplo(uplo) || n < smallest || !sound(x) || len(w) < n || lwork < room ||
		lwork > len(work) ||
		!moderate(l.Dlansy(lapack.MaxAbs, uplo, n, a, lda, work)) {
		return l.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	take := func(n int) (x []float64) {
		x, work = work[:n:n], work[n:]
		return x
	}
	work = work[:lwork]
	b := band{d: w[:n], e: take(n), rots: take(4 * n)}
	tau := take(n)
	b.ut = vec.MatrixOf(n, n, take(n*n))
	l.Dsytrd(uplo, n, a, lda, b.d, b.e[:n-1], tau[:n-1], work, len(work))
	l.Dorgtr(uplo, n, a, lda, tau[:n-1], work, len(work))
	transpose(x, b.ut)
	if !b.eigenvalues() {
		return false
	}
	transpose(b.ut, x)
	return true
}
