package gonumblas

import (
	"math"

	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// Lapack is gonum's implementation of LAPACK, with singular values, symmetric eigenvectors and condition numbers of its
// own. It satisfies lapack.Float64.
type Lapack struct{ gonum.Implementation }

// Dgesvd is gonum's Dgesvd, several times faster when vectors are wanted. The singular values have the same bits
// whatever vectors are wanted. With less room in work than it says it wants it allocates. Small matrices, zero, NaN and
// infinities are left to gonum.
func (l Lapack) Dgesvd(jobU, jobVT lapack.SVDJob, m, n int, a []float64, lda int, s, u []float64, ldu int, vt []float64,
	ldvt int, work []float64, lwork int) bool {
	d, ok := newSVD(jobU, jobVT, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork)
	if !ok {
		done := l.Implementation.Dgesvd(jobU, jobVT, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork)
		if lwork == -1 && min(m, n) >= smallest {
			work[0] = max(work[0], float64(svdRoom(m, n)))
		}
		return done
	}
	if moderate(d.norm) {
		ok = d.factorize()
	} else {
		l.Dlascl(lapack.General, 0, 0, d.norm, 1, m, n, a, lda)
		ok = d.factorize()
		l.Dlascl(lapack.General, 0, 0, 1, d.norm, d.k, 1, d.s, 1)
	}
	work[0] = float64(svdRoom(m, n))
	return ok
}

// svd is A = U S Vᵀ under construction: A is m-by-n and k the lesser of both.
type svd struct {
	impl         gonum.Implementation
	m, n, k      int
	a, u, vt     vec.Matrix[float64] // without columns: not wanted
	norm         float64             // the largest number of A
	s, e         []float64
	tau          []float64 // of the QR or LQ decomposition
	tauQ, tauP   []float64
	rots         []float64
	square, turn []float64 // room for k*k and for k*max(m, n) numbers
	work         []float64
}

// smallest is the size from which the gain shows.
const smallest = 16

// moderate reports whether numbers whose largest is norm need no scaling to keep their squares within range. NaN is
// not.
func moderate(norm float64) bool { return norm > 1e-100 && norm < 1e100 }

// svdRoom is the length of work that newSVD divides up.
func svdRoom(m, n int) int {
	k := min(m, n)
	return 8*k + k*k + k*m + 64*(m+n+65)
}

func newSVD(jobU, jobVT lapack.SVDJob, m, n int, a []float64, lda int, s, u []float64, ldu int, vt []float64, ldvt int,
	work []float64, lwork int) (d svd, ok bool) {
	k := min(m, n)
	d = svd{m: m, n: n, k: k, a: matrix(m, n, a, lda)}
	if k < smallest || !sound(d.a) || len(s) < k || lwork > len(work) || lwork < max(3*k+max(m, n), 5*k) {
		return d, false
	}
	var okU, okVT bool
	d.u, okU = wanted(jobU, m, m, k, u, ldu, false)
	d.vt, okVT = wanted(jobVT, n, n, k, vt, ldvt, true)
	norm := d.impl.Dlange(lapack.MaxAbs, m, n, a, lda, nil)
	if !okU || !okVT || !(norm > 0 && norm <= math.MaxFloat64) {
		return d, false
	}
	if lwork < svdRoom(m, n) {
		work = make([]float64, svdRoom(m, n))
	} else {
		work = work[:lwork]
	}
	take := func(n int) (x []float64) {
		x, work = work[:n:n], work[n:]
		return x
	}
	d.s, d.e, d.tau, d.tauQ, d.tauP, d.rots = s[:k], take(k), take(k), take(k), take(k), take(4*k)
	d.square, d.turn, d.work = take(k*k), take(k*m), work
	d.norm = norm
	return d, true
}

// wanted returns the singular vectors of one side as a matrix of the given rows, or columns when transposed: all of
// them, the first k, or none.
func wanted(job lapack.SVDJob, size, all, k int, x []float64, ldx int, transposed bool) (vec.Matrix[float64], bool) {
	count := k
	switch job {
	case lapack.SVDAll:
		count = all
	case lapack.SVDStore:
	case lapack.SVDNone:
		return vec.Matrix[float64]{}, ldx >= 1
	default:
		return vec.Matrix[float64]{}, false
	}
	a := matrix(size, count, x, ldx)
	if transposed {
		a.Rows, a.Cols = count, size
	}
	return a, sound(a)
}

// factorize bidiagonalises A, or the triangle of its QR or LQ decomposition where A has twice as many rows as columns,
// or columns as rows.
func (d *svd) factorize() bool {
	switch {
	case d.m >= 2*d.n:
		return d.tall()
	case d.n >= 2*d.m:
		return d.wide()
	}
	return d.reduce(d.a, d.u, d.vt)
}

// tall decomposes A = Q R, R = U' S Vᵀ and sets U = Q U'.
func (d *svd) tall() bool {
	d.impl.Dgeqrf(d.m, d.n, d.a.Data, d.a.Stride, d.tau, d.work, len(d.work))
	if !d.reduce(d.triangle(blas.Upper), corner(d.u, d.k), d.vt) {
		return false
	}
	if d.u.Cols > 0 {
		extend(d.u, d.k)
		d.impl.Dormqr(blas.Left, blas.NoTrans, d.m, d.u.Cols, d.k, d.a.Data, d.a.Stride, d.tau, d.u.Data, d.u.Stride,
			d.work, len(d.work))
	}
	return true
}

// wide decomposes A = L Q, L = U S V'ᵀ and sets Vᵀ = V'ᵀ Q.
func (d *svd) wide() bool {
	d.impl.Dgelqf(d.m, d.n, d.a.Data, d.a.Stride, d.tau, d.work, len(d.work))
	if !d.reduce(d.triangle(blas.Lower), d.u, corner(d.vt, d.k)) {
		return false
	}
	if d.vt.Cols > 0 {
		extend(d.vt, d.k)
		d.impl.Dormlq(blas.Right, blas.NoTrans, d.vt.Rows, d.n, d.k, d.a.Data, d.a.Stride, d.tau, d.vt.Data,
			d.vt.Stride, d.work, len(d.work))
	}
	return true
}

// triangle copies the k-by-k triangle of A and fills it up with zeros.
func (d *svd) triangle(uplo blas.Uplo) vec.Matrix[float64] {
	clear(d.square)
	d.impl.Dlacpy(uplo, d.k, d.k, d.a.Data, d.a.Stride, d.square, d.k)
	return matrix(d.k, d.k, d.square, d.k)
}

// corner is the window of the first k rows and columns, if a is wanted at all.
func corner(a vec.Matrix[float64], k int) vec.Matrix[float64] {
	if a.Cols == 0 {
		return a
	}
	return a.Slice(0, k, 0, k)
}

// extend makes a what its corner would be as a block of an identity matrix.
func extend(a vec.Matrix[float64], k int) {
	for i := range a.Rows {
		row := a.Row(i)
		if i < k {
			clear(row[k:])
			continue
		}
		clear(row)
		if i < len(row) {
			row[i] = 1
		}
	}
}

// reduce sets u and vt to the singular vectors of a, as far as they are wanted, by way of a bidiagonal matrix.
func (d *svd) reduce(a, u, vt vec.Matrix[float64]) bool {
	d.impl.Dgebrd(a.Rows, a.Cols, a.Data, a.Stride, d.s, d.e, d.tauQ, d.tauP, d.work, len(d.work))
	b := band{d: d.s, e: d.e, rots: d.rots}
	if u.Cols > 0 {
		d.impl.Dlacpy(blas.Lower, a.Rows, d.k, a.Data, a.Stride, u.Data, u.Stride)
		d.impl.Dorgbr(lapack.GenerateQ, u.Rows, u.Cols, a.Cols, u.Data, u.Stride, d.tauQ, d.work, len(d.work))
		b.ut = matrix(d.k, u.Rows, d.turn, u.Rows)
		transpose(u, b.ut)
	}
	if vt.Cols > 0 {
		d.impl.Dlacpy(blas.Upper, d.k, a.Cols, a.Data, a.Stride, vt.Data, vt.Stride)
		d.impl.Dorgbr(lapack.GeneratePT, vt.Rows, vt.Cols, a.Rows, vt.Data, vt.Stride, d.tauP, d.work, len(d.work))
		b.vt = vt.Slice(0, d.k, 0, vt.Cols)
	}
	if a.Rows < a.Cols {
		b.fromLower()
	}
	if !b.singularValues() {
		return false
	}
	if u.Cols > 0 {
		transpose(b.ut, u)
	}
	return true
}

// transpose writes the transpose of a to b as far as both reach.
func transpose(a, b vec.Matrix[float64]) {
	const side = 16 // lines of 16 rows stay in the L1 cache while they are filled
	rows, cols := min(a.Rows, b.Cols), min(a.Cols, b.Rows)
	for i := 0; i < rows; i += side {
		for j := range cols {
			to := b.Row(j)
			for l := i; l < min(i+side, rows); l++ {
				to[l] = a.Data[l*a.Stride+j]
			}
		}
	}
}
