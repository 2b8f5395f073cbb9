package gonumblas

import (
	"math"

	"gonum.org/v1/gonum/lapack/gonum"
)

// block is a part of a bidiagonal matrix with nothing but nonzero numbers above its diagonal. With step -1 it is seen from
// its other end: reversed, and transposed so that it is upper bidiagonal again, which exchanges vt and ut.
type block struct {
	*bidiagonal
	first, step, n int
}

// diag and above are elements (i, i) and (i, i+1).

func (b block) diag(i int) *float64  { return &b.d[b.first+i*b.step] }
func (b block) above(i int) *float64 { return &b.e[b.first+i*b.step+(b.step-1)/2] }

// direct lets sweeps run from the larger end of the diagonal to the smaller. While the block is what is left of the last
// one it keeps that one's direction.
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

// converged reports whether an element above the diagonal could be neglected, which it then makes zero, or returns a lower
// bound of the block's smallest singular value.
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

// sides returns room for the rotations of a sweep, from the right and from the left.
func (b block) sides() (cosR, sinR, cosL, sinL []float64) {
	n := len(b.d)
	r := b.rots
	return r[:n], r[n : 2*n], r[2*n : 3*n], r[3*n : 4*n]
}

// apply rotates the rows of vt by the rotations from the right and those of ut by those from the left.
func (b block) apply() {
	cosR, sinR, cosL, sinL := b.sides()
	right, left := b.vt, b.ut
	if b.step < 0 {
		right, left = left, right
	}
	rotate(b.n-1, cosR, sinR, right, b.first, b.step)
	rotate(b.n-1, cosL, sinL, left, b.first, b.step)
}

// sweep chases the bulge that the shift makes from the block's start to its end.
func (b block) sweep(shift float64) {
	cosR, sinR, cosL, sinL := b.sides()
	d0 := *b.diag(0)
	f, g := (math.Abs(d0)-shift)*(math.Copysign(1, d0)+shift/d0), *b.above(0)
	for i := range b.n - 1 {
		d, e, next := b.diag(i), b.above(i), b.diag(i+1)
		c, s, r := gonum.Implementation{}.Dlartg(f, g)
		cosR[i], sinR[i] = c, s
		if i > 0 {
			*b.above(i - 1) = r
		}
		f, *e = c**d+s**e, c**e-s**d
		g, *next = s**next, c**next

		c, s, r = gonum.Implementation{}.Dlartg(f, g)
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
		c, s, r = gonum.Implementation{}.Dlartg(*b.diag(i)*c, *b.above(i))
		cosR[i], sinR[i] = c, s
		if i > 0 {
			*b.above(i - 1) = oldS * r
		}
		oldC, oldS, *b.diag(i) = gonum.Implementation{}.Dlartg(oldC*r, *b.diag(i + 1)*s)
		cosL[i], sinL[i] = oldC, oldS
	}
	h := *b.diag(b.n - 1) * c
	*b.diag(b.n - 1), *b.above(b.n - 2) = h*oldC, h*oldS
	b.apply()
}
