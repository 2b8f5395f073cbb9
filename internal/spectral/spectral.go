// Package spectral finds singular values and vectors by the eigenvalues of the smaller Gram matrix: for matrices whose
// smaller side is some hundreds at most.
package spectral

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// gram returns BᵀB, or BBᵀ where A has fewer rows than columns, in float64, and the power of two s with A = s B for
// which the largest number of B is at least 1 and below 2: squares of it are in range, and eigenvalues of the product
// where Dsyev needs no scale, which in gonum panics. Some rows, or columns, are converted at a time, so that their copy
// stays in a cache.
func gram[T vec.Float](a vec.Matrix[T]) (c vec.Matrix[float64], s float64) {
	const size = 256
	k, long := min(a.Rows, a.Cols), max(a.Rows, a.Cols)
	c = vec.NewMatrix[float64](k, k)
	block := make([]float64, k*min(size, long))
	s, half, rest := scaleOf(a)
	unscale := func(x []float64) {
		vec.Scale(half, x)
		vec.Scale(rest, x)
	}
	for from := 0; from < long; from += size {
		count := min(size, long-from)
		if a.Rows < a.Cols {
			part := vec.MatrixOf(k, count, block[:k*count])
			for i := range k {
				vec.Convert(part.Row(i), a.Row(i)[from:from+count])
			}
			unscale(part.Data)
			vec.Gemm(vec.NoTrans, vec.Transposed, 1, part, part, 1, c)
		} else {
			part := vec.MatrixOf(count, k, block[:k*count])
			for i := range count {
				vec.Convert(part.Row(i), a.Row(from+i))
			}
			unscale(part.Data)
			vec.Gemm(vec.Transposed, vec.NoTrans, 1, part, part, 1, c)
		}
	}
	return c, s
}

// scaleOf returns the power of two s for which the largest number of A is at least s and below 2s, or 1 where there is
// none, and two factors of 1/s, which may itself be beyond float64.
func scaleOf[T vec.Float](a vec.Matrix[T]) (s, half, rest float64) {
	largest := 0.0
	if a.Cols > 0 {
		for i := range a.Rows {
			row := a.Row(i)
			largest = max(largest, float64(vec.Max(row)), -float64(vec.Min(row)))
		}
	}
	if largest == 0 || largest-largest != 0 {
		return 1, 1, 1
	}
	_, e := math.Frexp(largest)
	e--
	return math.Ldexp(1, e), math.Ldexp(1, -e/2), math.Ldexp(1, e/2-e)
}

// negligible is what numbers of a product whose largest is at least 1 are taken to be 0 below: of a block of its own
// that is tiny Dsyev would change the scale, and that panics in gonum.
const negligible = 0x1p-200

// eigen returns the eigenvalues of a symmetric matrix, ascending, and if vectors are wanted puts these into its
// columns. false: the numbers are not finite.
func eigen(c vec.Matrix[float64], vectors bool) ([]float64, bool) {
	n, job := c.Rows, lapack.EVNone
	if vectors {
		job = lapack.EVCompute
	}
	if n == 0 {
		return nil, true
	}
	for i := range n {
		row := c.Row(i)
		if s := vec.Sum(row); s-s != 0 {
			return nil, false
		}
		for j, v := range row {
			if math.Abs(v) < negligible {
				row[j] = 0
			}
		}
	}
	values, work := make([]float64, n), make([]float64, 1)
	var l gonumblas.Lapack
	l.Dsyev(job, blas.Upper, n, c.Data, c.Stride, values, work, -1)
	work = make([]float64, int(work[0]))
	return values, l.Dsyev(job, blas.Upper, n, c.Data, c.Stride, values, work, len(work))
}

// Values returns the singular values of A, descending: the roots of the eigenvalues of its Gram matrix, min(d, k) of
// them. What is below 1e-8 of the largest is rounding. They are NaN where a number is not finite. O(d k min(d, k)).
func Values[T vec.Float](a vec.Matrix[T]) []float64 {
	c, s := gram(a)
	values, ok := eigen(c, false)
	if !ok {
		return []float64{math.NaN()}
	}
	slices.Reverse(values)
	for j, v := range values {
		values[j] = s * math.Sqrt(max(0, v))
	}
	return values
}

// Decompose returns factors with W = U Vᵀ, the columns of the one with fewer rows orthonormal and the columns of the
// other orthogonal, and the singular values, descending.
func Decompose(w vec.Matrix[float64]) (u, v vec.Matrix[float64], values []float64, ok bool) {
	k := min(w.Rows, w.Cols)
	q, _ := gram(w)
	if _, ok = eigen(q, true); !ok {
		return u, v, nil, false
	}
	for i := range k { // descending
		slices.Reverse(q.Row(i))
	}
	if w.Rows < w.Cols {
		u, v = q, vec.NewMatrix[float64](w.Cols, k)
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, w, q, 0, v)
	} else {
		u, v = vec.NewMatrix[float64](w.Rows, k), q
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, w, q, 0, u)
	}
	return u, v, Lengths(u, v), true
}

// Lengths returns |u_j| |v_j| of the columns of two factors: their sum is at least |U Vᵀ|_*.
func Lengths[T vec.Float](u, v vec.Matrix[T]) []float64 {
	a, b := columns(u), columns(v)
	for j := range a {
		a[j] *= b[j]
	}
	return a
}

// columns returns the lengths of the columns of A.
func columns[T vec.Float](a vec.Matrix[T]) []float64 {
	lengths := make([]float64, a.Cols)
	s, half, rest := scaleOf(a)
	for i := range a.Rows {
		for j, x := range a.Row(i) {
			x := float64(x) * half * rest
			lengths[j] += x * x
		}
	}
	for j, square := range lengths {
		lengths[j] = s * math.Sqrt(square)
	}
	return lengths
}

// Float64 returns a copy in float64.
func Float64[T vec.Float](a vec.Matrix[T]) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		vec.Convert(b.Row(i), a.Row(i))
	}
	return b
}
