package gonumblas

import (
	"math"

	"gonum.org/v1/gonum/lapack/gonum"
)

// eigenvalues leaves the eigenvalues of a symmetric tridiagonal matrix in d, in increasing order, or reports that it
// did not converge: T = Q D Qᵀ turns ut into Qᵀ ut. It is the implicit QR iteration with Wilkinson's shift (Golub and
// Van Loan, Matrix Computations, section 8.3).
func (b *band) eigenvalues() bool {
	n := len(b.d)
	budget := 30 * n
	var last block
	for hi := n - 1; hi > 0; {
		cur := b.lastSymmetricBlock(hi)
		switch cur.n {
		case 1:
			hi--
			continue
		case 2:
			b.symmetricTwoByTwo(cur.first)
			hi -= 2
			continue
		}
		if budget--; budget < 0 {
			return false
		}
		cur.direct(last)
		last = cur
		cur.symmetricSweep()
	}
	b.sort(func(x, y float64) bool { return x < y })
	return true
}

// lastSymmetricBlock returns the block without zeros beside its diagonal that ends with row hi. What is negligible
// beside its neighbours becomes zero.
func (b *band) lastSymmetricBlock(hi int) block {
	lo := hi
	for ; lo > 0; lo-- {
		e := &b.e[lo-1]
		if *e**e <= epsilon*epsilon*math.Abs(b.d[lo-1])*math.Abs(b.d[lo])+0x1p-1022 {
			*e = 0
			break
		}
	}
	return block{band: b, first: lo, step: 1, n: hi - lo + 1}
}

// symmetricTwoByTwo diagonalises rows and columns i and i+1.
func (b *band) symmetricTwoByTwo(i int) {
	large, small, c, s := gonum.Implementation{}.Dlaev2(b.d[i], b.e[i], b.d[i+1])
	b.d[i], b.e[i], b.d[i+1] = large, 0, small
	b.rots[0], b.rots[1] = c, s
	rotate(1, b.rots[:1], b.rots[1:], b.ut, i, 1)
}

// symmetricSweep chases the bulge that the shift makes from the block's start to its end.
func (b block) symmetricSweep() {
	_, _, cos, sin := b.sides()
	// The eigenvalue of the last two rows that is nearer to the last element.
	last, e := *b.diag(b.n - 1), *b.above(b.n - 2)
	half := (*b.diag(b.n - 2) - last) / (2 * e)
	shift := last - e/(half+math.Copysign(math.Hypot(half, 1), half))

	// p is what the rotations so far have added to the next element of the diagonal.
	g, c, s, p := *b.diag(0)-shift, 1.0, 1.0, 0.0
	for i := range b.n - 1 {
		f, side := s**b.above(i), c**b.above(i)
		var r float64
		c, s, r = givens(g, f)
		if i > 0 {
			*b.above(i - 1) = r
		}
		d := *b.diag(i) - p
		r = (*b.diag(i + 1)-d)*s + 2*c*side
		p = s * r
		*b.diag(i) = d + p
		g = c*r - side
		cos[i], sin[i] = c, s
	}
	*b.diag(b.n - 1) -= p
	*b.above(b.n - 2) = g
	rotate(b.n-1, cos, sin, b.ut, b.first, b.step)
}
