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

// gram returns AᵀA, or AAᵀ where A has fewer rows than columns.
func gram(a vec.Matrix[float64]) vec.Matrix[float64] {
	k := min(a.Rows, a.Cols)
	c := vec.NewMatrix[float64](k, k)
	if a.Rows < a.Cols {
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, a, a, 0, c)
	} else {
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, a, a, 0, c)
	}
	return c
}

// eigen returns the eigenvalues of a symmetric matrix, ascending, and if vectors are wanted puts these into its columns.
// false: the numbers are not finite.
func eigen(c vec.Matrix[float64], vectors bool) ([]float64, bool) {
	n, job := c.Rows, lapack.EVNone
	if vectors {
		job = lapack.EVCompute
	}
	if n == 0 {
		return nil, true
	}
	for i := range n {
		if s := vec.Sum(c.Row(i)); s-s != 0 {
			return nil, false
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
	values, ok := eigen(gram(Float64(a)), false)
	if !ok {
		return []float64{math.NaN()}
	}
	slices.Reverse(values)
	for j, v := range values {
		values[j] = math.Sqrt(max(0, v))
	}
	return values
}

// Decompose returns factors with W = U Vᵀ, the columns of the one with fewer rows orthonormal and those of the other
// orthogonal, and the singular values, descending.
func Decompose(w vec.Matrix[float64]) (u, v vec.Matrix[float64], values []float64, ok bool) {
	k := min(w.Rows, w.Cols)
	q := gram(w)
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
	a, b := make([]float64, u.Cols), make([]float64, u.Cols)
	for _, m := range []struct {
		m   vec.Matrix[T]
		sum []float64
	}{{u, a}, {v, b}} {
		for i := range m.m.Rows {
			for j, x := range m.m.Row(i) {
				m.sum[j] += float64(x) * float64(x)
			}
		}
	}
	for j := range a {
		a[j] = math.Sqrt(a[j] * b[j])
	}
	return a
}

// Float64 returns a copy in float64.
func Float64[T vec.Float](a vec.Matrix[T]) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		vec.Convert(b.Row(i), a.Row(i))
	}
	return b
}
