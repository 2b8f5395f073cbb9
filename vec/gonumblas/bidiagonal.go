package gonumblas

import (
	"math"

	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/lapack/gonum"
)

const (
	epsilon  = 0x1p-53
	relative = 100 * epsilon // accuracy of singular values, in ulps a moderate number
	sweeps   = 6             // for each singular value, at most; two are usual
)

// singularValues leaves the singular values of a bidiagonal matrix in d, in decreasing order, or reports that it did
// not converge: B = P S Qᵀ turns vt into Qᵀ vt and ut into Pᵀ ut.
//
// The method is the implicit QR iteration of Demmel and Kahan (Accurate singular values of bidiagonal matrices, SIAM J.
// Sci. Stat. Comput. 11, 1990): it finds small singular values to the same relative accuracy as large ones.
func (b *band) singularValues() bool {
	n := len(b.d)
	negligible := max(relative*b.leastSingular()/math.Sqrt(float64(n)), float64(sweeps*n)*float64(n)*0x1p-1022)
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
	for i, d := range b.d {
		if math.Signbit(d) {
			b.d[i] = -d
			if b.vt.Cols > 0 {
				vec.Scale(-1, b.vt.Row(i))
			}
		}
	}
	b.sort(func(x, y float64) bool { return x > y })
	return true
}

// fromLower is for a matrix that came with e below its diagonal: rotations from the left bring it above.
func (b *band) fromLower() {
	n := len(b.d)
	cos, sin := b.rots[:n], b.rots[n:]
	for i := range n - 1 {
		cos[i], sin[i], b.d[i] = givens(b.d[i], b.e[i])
		b.e[i], b.d[i+1] = sin[i]*b.d[i+1], cos[i]*b.d[i+1]
	}
	rotate(n-1, cos, sin, b.ut, 0, 1)
}

// leastSingular is a lower bound of the smallest singular value, up to a factor of sqrt(n).
func (b *band) leastSingular() float64 {
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
func (b *band) lastBlock(hi int, negligible float64) block {
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
	return block{band: b, first: lo, step: 1, n: hi - lo + 1}
}

// twoByTwo diagonalises rows i and i+1.
func (b *band) twoByTwo(i int) {
	small, large, sinR, cosR, sinL, cosL := gonum.Implementation{}.Dlasv2(b.d[i], b.e[i], b.d[i+1])
	b.d[i], b.e[i], b.d[i+1] = large, 0, small
	b.rots[0], b.rots[1], b.rots[2], b.rots[3] = cosR, sinR, cosL, sinL
	rotate(1, b.rots[0:], b.rots[1:], b.vt, i, 1)
	rotate(1, b.rots[2:], b.rots[3:], b.ut, i, 1)
}

// converged reports whether an element above the diagonal could be neglected, which it then makes zero, or returns a
// lower bound of the block's smallest singular value.
func (b block) converged() (smallest float64, ok bool) {
	if e := b.above(b.n - 2); math.Abs(*e) <= relative*math.Abs(*b.diag(b.n - 1)) {
		*e = 0
		return 0, true
	}
	mu := math.Abs(*b.diag(0))
	smallest = mu
	for i := range b.n - 1 {
		e := b.above(i)
		if math.Abs(*e) <= relative*mu {
			*e = 0
			return 0, true
		}
		mu = math.Abs(*b.diag(i + 1)) * (mu / (mu + math.Abs(*e)))
		smallest = min(smallest, mu)
	}
	return smallest, false
}

// shift is the smaller singular value of the last two rows, or 0 where shifting would cost the relative accuracy of the
// smallest one.
func (b block) shift(smallest float64) float64 {
	largest := 0.0
	for i := range b.n {
		largest = max(largest, math.Abs(*b.diag(i)))
		if i < b.n-1 {
			largest = max(largest, math.Abs(*b.above(i)))
		}
	}
	if float64(len(b.d))*relative*(smallest/largest) <= max(epsilon, 0.01*relative) {
		return 0
	}
	shift, _ := gonum.Implementation{}.Dlas2(*b.diag(b.n - 2), *b.above(b.n - 2), *b.diag(b.n - 1))
	if ratio := shift / math.Abs(*b.diag(0)); ratio*ratio < epsilon {
		return 0
	}
	return shift
}

// sweep chases the bulge that the shift makes from the block's start to its end.
func (b block) sweep(shift float64) {
	cosR, sinR, cosL, sinL := b.sides()
	d0 := *b.diag(0)
	f, g := (math.Abs(d0)-shift)*(math.Copysign(1, d0)+shift/d0), *b.above(0)
	for i := range b.n - 1 {
		d, e, next := b.diag(i), b.above(i), b.diag(i+1)
		c, s, r := givens(f, g)
		cosR[i], sinR[i] = c, s
		if i > 0 {
			*b.above(i - 1) = r
		}
		f, *e = c**d+s**e, c**e-s**d
		g, *next = s**next, c**next

		c, s, r = givens(f, g)
		cosL[i], sinL[i] = c, s
		*d = r
		f, *next = c**e+s**next, c**next-s**e
		if i < b.n-2 {
			after := b.above(i + 1)
			g, *after = s**after, c**after
		}
	}
	*b.above(b.n - 2) = f
	b.apply()
}

// zeroShiftSweep is a sweep without shift, in the form that subtracts nothing.
func (b block) zeroShiftSweep() {
	cosR, sinR, cosL, sinL := b.sides()
	c, s, oldC, oldS := 1.0, 0.0, 1.0, 0.0
	for i := range b.n - 1 {
		var r float64
		c, s, r = givens(*b.diag(i)*c, *b.above(i))
		cosR[i], sinR[i] = c, s
		if i > 0 {
			*b.above(i - 1) = oldS * r
		}
		oldC, oldS, *b.diag(i) = givens(oldC*r, *b.diag(i + 1)*s)
		cosL[i], sinL[i] = oldC, oldS
	}
	h := *b.diag(b.n - 1) * c
	*b.diag(b.n - 1), *b.above(b.n - 2) = h*oldC, h*oldS
	b.apply()
}
