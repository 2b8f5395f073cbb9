// Package cholesky decomposes positive definite matrices, A = L Lᵀ, and solves equations with them.
//
// Both recur on halves of L,
//
//	A11 = L11 L11ᵀ,   L21 = A21 L11⁻ᵀ,   A22 - L21 L21ᵀ = L22 L22ᵀ,
//
// so that nearly all of the work is products of matrices. Each element is still a sum over its row and column divided
// by a pivot, so that the bounds of Higham, Accuracy and Stability of Numerical Algorithms, section 10.1, hold: no
// inverse of a block is formed, which would not be stable for matrices that are badly scaled.
package cholesky

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// leaf is the size of blocks of L that are not halved any more.
const leaf = 32

// Factor overwrites the lower half of the n-by-n matrix a by L, by workers goroutines, 0 for all cores. The bits do not
// depend on their number. The upper half is neither read nor written. Where a pivot is not positive, or not finite, it
// returns an error that names it, and a is of no use. It panics where a is not square or workers is negative. O(n³/3).
func Factor(a vec.Matrix[float64], workers int) error {
	workers = mustFit("Factor", &a, a.Rows, workers)
	return factor(a, 0, workers)
}

// factor is Factor for the rows from first on of a larger matrix.
func factor(a vec.Matrix[float64], first, workers int) error {
	n := a.Rows
	if n > leaf {
		h := half(n)
		if err := factor(a.Slice(0, h, 0, h), first, workers); err != nil {
			return err
		}
		below := a.Slice(h, n, 0, h)
		const rows = 128 // that a goroutine takes at a time
		parallel.Chunks(workers, n-h, rows, func(_, from, to int) {
			divide(a.Slice(0, h, 0, h), below.Slice(from, to, 0, h))
		})
		vec.SyrkWorkers(vec.Lower, vec.NoTrans, -1, below, 1, a.Slice(h, n, h, n), workers)
		return factor(a.Slice(h, n, h, n), first+h, workers)
	}
	for j := range n {
		row := a.Row(j)[:j+1]
		divide(a.Slice(0, j, 0, j), a.Slice(j, j+1, 0, j))
		pivot := row[j] - vec.SquaredNorm(row[:j])
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return fmt.Errorf("cholesky: pivot %d is %v, want a positive number", first+j, pivot)
		}
		row[j] = math.Sqrt(pivot)
	}
	return nil
}

// half is where a matrix of n > leaf rows is cut: a multiple of leaf.
func half(n int) int { return shape.Padded(n/2, leaf) }

// divide sets B = B L⁻ᵀ.
func divide(l, b vec.Matrix[float64]) {
	n := l.Rows
	if n > leaf {
		h := half(n)
		left, right := b.Slice(0, b.Rows, 0, h), b.Slice(0, b.Rows, h, n)
		divide(l.Slice(0, h, 0, h), left)
		vec.Gemm(vec.NoTrans, vec.Transposed, -1, left, l.Slice(h, n, 0, h), 1, right)
		divide(l.Slice(h, n, h, n), right)
		return
	}
	for i := range b.Rows {
		row := b.Row(i)
		for j := range row {
			of := l.Row(j)
			row[j] = (row[j] - vec.Dot64(of[:j], row[:j])) / of[j]
		}
	}
}

// mustFit returns the number of goroutines that workers stands for, and panics where it is negative or L is not n-by-n.
func mustFit(function string, l *vec.Matrix[float64], n, workers int) int {
	if l.Rows != n || l.Cols != n {
		panic(shape.Errorf("cholesky: "+function, "a %d-by-%d matrix for %d equations", l.Rows, l.Cols, n))
	}
	l.Check()
	workers, err := parallel.Cores(workers, n)
	if err != nil {
		panic(shape.Errorf("cholesky: "+function, "%v", err))
	}
	return workers
}
