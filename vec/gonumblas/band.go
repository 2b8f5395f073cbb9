package gonumblas

import (
	"math"

	"github.com/dualgap/dualgap/asm/blas"
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/lapack/gonum"
)

// band is a matrix on its way to a diagonal one: upper bidiagonal, or symmetric and tridiagonal. d is its diagonal, e
// what is above. While it is rotated, vt turns by what is done from the right, ut by what is done from the left (the
// transpose of that from the right, if symmetric, so that ut is enough). A matrix without columns is not wanted.
//
// The rotations of a sweep are collected and then applied at once, each row in registers from one to the next: in the
// LAPACK of gonum that is where the time of a decomposition goes.
type band struct {
	d, e   []float64
	vt, ut vec.Matrix[float64]
	rots   []float64 // 4 len(d) numbers: cosines and sines for vt and for ut
}

// rotate applies m rotations to neighbouring rows of a, from the given row on downwards, or upwards when step is -1.
func rotate(m int, c, s []float64, a vec.Matrix[float64], row, step int) {
	if a.Cols > 0 && m > 0 {
		blas.RotsF64(m, a.Cols, &c[0], &s[0], &a.Row(row)[0], step*a.Stride)
	}
}

// givens returns the rotation that turns (f, g) into (r, 0). gonum's is ready for numbers whose squares leave the
// range.
func givens(f, g float64) (c, s, r float64) {
	if square := f*f + g*g; square > 0x1p-900 && square < 0x1p900 {
		r = math.Copysign(math.Sqrt(square), f)
		return f / r, g / r, r
	}
	return gonum.Implementation{}.Dlartg(f, g)
}

// exchange exchanges rows i and j.
func exchange(a vec.Matrix[float64], i, j int) {
	if a.Cols > 0 {
		x, y := a.Row(i), a.Row(j)
		for k, v := range x {
			x[k], y[k] = y[k], v
		}
	}
}

// sort puts the diagonal in order, the rows of vt and ut with it.
func (b *band) sort(before func(x, y float64) bool) {
	for i := range b.d {
		first := i
		for j := i + 1; j < len(b.d); j++ {
			if before(b.d[j], b.d[first]) {
				first = j
			}
		}
		if first != i {
			b.d[i], b.d[first] = b.d[first], b.d[i]
			exchange(b.vt, i, first)
			exchange(b.ut, i, first)
		}
	}
}

// block is a part of a band with nothing but nonzero numbers above its diagonal. With step -1 it is seen from
// its other end; a bidiagonal block is transposed by that, which exchanges vt and ut.
type block struct {
	*band
	first, step, n int
}

// diag and above are elements (i, i) and (i, i+1).

func (b block) diag(i int) *float64  { return &b.d[b.first+i*b.step] }
func (b block) above(i int) *float64 { return &b.e[b.first+i*b.step+(b.step-1)/2] }

// direct lets sweeps run from the larger end of the diagonal to the smaller. While the block is what is left of the
// last one it keeps that one's direction.
func (b *block) direct(last block) {
	down := math.Abs(*b.diag(0)) >= math.Abs(*b.diag(b.n - 1))
	if last.n > 0 && b.overlaps(last) {
		down = last.step > 0
	}
	if !down {
		b.first, b.step = b.first+b.n-1, -1
	}
}

// overlaps is asked of a block that runs downwards.
func (b block) overlaps(last block) bool {
	lo := last.first
	if last.step < 0 {
		lo -= last.n - 1
	}
	return b.first < lo+last.n && lo < b.first+b.n
}

// sides returns room for the rotations of a sweep, from the right and from the left.
func (b block) sides() (cosR, sinR, cosL, sinL []float64) {
	n := len(b.d)
	r := b.rots
	return r[:n], r[n : 2*n], r[2*n : 3*n], r[3*n : 4*n]
}

// apply ends a sweep: it rotates the rows of vt by the rotations from the right and the rows of ut by the rotations
// from the left.
func (b block) apply() {
	cosR, sinR, cosL, sinL := b.sides()
	right, left := b.vt, b.ut
	if b.step < 0 {
		right, left = left, right
	}
	rotate(b.n-1, cosR, sinR, right, b.first, b.step)
	rotate(b.n-1, cosL, sinL, left, b.first, b.step)
}
