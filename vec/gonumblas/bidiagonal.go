package gonumblas

import (
	"math"

	"github.com/dualgap/dualgap/asm/blas"
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/lapack/gonum"
)

// bidiagonal is a matrix B with diagonal d and e above it, and the matrices whose rows are rotated while B becomes
// diagonal: B = P S Qᵀ turns vt into Qᵀ vt and ut into Pᵀ ut. A matrix without columns is not wanted.
//
// The method is the implicit QR iteration of Demmel and Kahan (Accurate singular values of bidiagonal matrices, SIAM J. Sci.
// Stat. Comput. 11, 1990): it finds small singular values to the same relative accuracy as large ones. The rotations of a
// sweep are collected and then applied at once, each row in registers from one to the next; in the LAPACK of gonum that is
// where the time of a singular value decomposition goes.
type bidiagonal struct {
	d, e   []float64
	vt, ut vec.Matrix[float64]
	rots   []float64 // 4 len(d) numbers: cosines and sines for vt and for ut
}

const (
	epsilon  = 0x1p-53
	relative = 100 * epsilon // accuracy of singular values, in ulps a moderate number
	sweeps   = 6             // for each singular value, at most; two are usual
)

// diagonalise leaves the singular values in d, without order or sign, or reports that it did not converge.
func (b *bidiagonal) diagonalise() bool {
	n := len(b.d)
	negligible := max(relative*b.smallest()/math.Sqrt(float64(n)), float64(sweeps*n)*float64(n)*0x1p-1022)
	budget := sweeps * n * n
	var last block
	for hi := n - 1; hi > 0; {
		cur := b.lastBlock(hi, negligible)
		if cur.n == 1 {
			hi--
			continue
		}
		if cur.n == 2 {
			b.twoByTwo(cur.first)
			hi -= 2
			continue
		}
		if budget -= cur.n; budget < 0 {
			return false
		}
		cur.direct(last)
		last = cur
		smallest, converged := cur.converged()
		if converged {
			continue
		}
		if shift := cur.shift(smallest); shift == 0 {
			cur.zeroShiftSweep()
		} else {
			cur.sweep(shift)
		}
		if e := cur.above(cur.n - 2); math.Abs(*e) <= negligible {
			*e = 0
		}
	}
	return true
}

// fromLower is for a matrix that came with e below its diagonal: rotations from the left bring it above.
func (b *bidiagonal) fromLower() {
	n := len(b.d)
	cos, sin := b.rots[:n], b.rots[n:]
	for i := range n - 1 {
		cos[i], sin[i], b.d[i] = gonum.Implementation{}.Dlartg(b.d[i], b.e[i])
		b.e[i], b.d[i+1] = sin[i]*b.d[i+1], cos[i]*b.d[i+1]
	}
	rotate(n-1, cos, sin, b.ut, 0, 1)
}

// smallest is a lower bound of the smallest singular value, up to a factor of sqrt(n).
func (b *bidiagonal) smallest() float64 {
	mu := math.Abs(b.d[0])
	least := mu
	for i, e := range b.e[:len(b.d)-1] {
		if least == 0 {
			break
		}
		mu = math.Abs(b.d[i+1]) * (mu / (mu + math.Abs(e)))
		least = min(least, mu)
	}
	return least
}

// lastBlock returns the block without zeros above its diagonal that ends with row hi. What is negligible becomes zero.
func (b *bidiagonal) lastBlock(hi int, negligible float64) block {
	lo := hi
	flush := func(x *float64) bool {
		if math.Abs(*x) <= negligible {
			*x = 0
		}
		return *x == 0
	}
	flush(&b.d[hi])
	for lo > 0 && !flush(&b.e[lo-1]) {
		lo--
		flush(&b.d[lo])
	}
	return block{bidiagonal: b, first: lo, step: 1, n: hi - lo + 1}
}

// twoByTwo diagonalises rows i and i+1.
func (b *bidiagonal) twoByTwo(i int) {
	small, large, sinR, cosR, sinL, cosL := gonum.Implementation{}.Dlasv2(b.d[i], b.e[i], b.d[i+1])
	b.d[i], b.e[i], b.d[i+1] = large, 0, small
	b.rots[0], b.rots[1], b.rots[2], b.rots[3] = cosR, sinR, cosL, sinL
	rotate(1, b.rots[0:], b.rots[1:], b.vt, i, 1)
	rotate(1, b.rots[2:], b.rots[3:], b.ut, i, 1)
}

// rotate applies m rotations to neighbouring rows of a, from the given row on downwards, or upwards when step is -1.
func rotate(m int, c, s []float64, a vec.Matrix[float64], row, step int) {
	if a.Cols > 0 && m > 0 {
		blas.RotsF64(m, a.Cols, &c[0], &s[0], &a.Row(row)[0], step*a.Stride)
	}
}

// sort makes the singular values positive and decreasing, and exchanges rows with them.
func (b *bidiagonal) sort() {
	for i, d := range b.d {
		if math.Signbit(d) {
			b.d[i] = -d
			if b.vt.Cols > 0 {
				vec.Scale(-1, b.vt.Row(i))
			}
		}
	}
	for i := range b.d {
		largest := i
		for j := i + 1; j < len(b.d); j++ {
			if b.d[j] > b.d[largest] {
				largest = j
			}
		}
		if largest != i {
			b.d[i], b.d[largest] = b.d[largest], b.d[i]
			exchange(b.vt, i, largest)
			exchange(b.ut, i, largest)
		}
	}
}

func exchange(a vec.Matrix[float64], i, j int) {
	if a.Cols > 0 {
		x, y := a.Row(i), a.Row(j)
		for k, v := range x {
			x[k], y[k] = y[k], v
		}
	}
}
