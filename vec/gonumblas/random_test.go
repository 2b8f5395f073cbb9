package gonumblas_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"gonum.org/v1/gonum/blas"
)

// TestRandom tries sizes around those at which routines split their work, every flag, strides, and NaN in all that a
// routine may not read: gaps between rows, the other triangle, a diagonal of ones, and with beta = 0 what it
// overwrites.
func TestRandom(t *testing.T) {
	sizes := []int{1, 2, 3, 15, 16, 17, 31, 33, 48, 127, 129, 150}
	if testing.Short() {
		sizes = []int{1, 3, 17, 33, 70}
	}
	prove.Tiers(func(tier cpu.Tier) {
		t.Run(tier.String(), func(t *testing.T) {
			d := draw{prove.Rand(uint64(tier)), sizes}
			levelOne(shadow{t}, d)
			for _, c := range [][2]float64{{1, 0}, {-1, 1}, {0.75, -1}, {0, 0.75}, {0, 0}, {0.75, 0.5}} {
				levelTwo(shadow{t}, d, c[0], c[1])
				for _, ta := range transposes {
					levelThree(shadow{t}, d, ta, c[0], c[1])
				}
			}
		})
	})
}

var (
	transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	uplos      = []blas.Uplo{blas.Lower, blas.Upper}
	diags      = []blas.Diag{blas.NonUnit, blas.Unit}
	sides      = []blas.Side{blas.Left, blas.Right}
	scalars    = []float64{0, 1, -1, 0.75}
	increments = []int{1, 3, -1, -2}
)

type draw struct {
	r     *rand.Rand
	sizes []int
}

func pick[E any](d draw, from []E) E { return from[d.r.IntN(len(from))] }

func (d draw) size() int      { return pick(d, d.sizes) }
func (d draw) inc() int       { return pick(d, increments) }
func (d draw) pad() int       { return d.r.IntN(5) }
func (d draw) value() float64 { return 2*d.r.Float64() - 1 }

// vector holds n numbers inc apart, NaN between them.
func (d draw) vector(n, inc int) []float64 {
	inc = max(inc, -inc)
	x := make([]float64, (n-1)*inc+1)
	for i := range x {
		if x[i] = math.NaN(); i%inc == 0 {
			x[i] = d.value()
		}
	}
	return x
}

// matrix holds m rows of n numbers ld apart, NaN between them.
func (d draw) matrix(m, n, ld int) []float64 {
	a := make([]float64, (m-1)*ld+n)
	for i := range a {
		if a[i] = math.NaN(); i%ld < n {
			a[i] = d.value()
		}
	}
	return a
}

// triangle has NaN outside the triangle and, when unit, on the diagonal. What else is there is well conditioned.
func (d draw) triangle(n, ld int, ul blas.Uplo, diag blas.Diag) []float64 {
	a := d.matrix(n, n, ld)
	for i := range n {
		for j := range n {
			switch {
			case i == j && diag == blas.Unit, ul == blas.Lower && j > i, ul == blas.Upper && j < i:
				a[i*ld+j] = math.NaN()
			case i == j:
				a[i*ld+j] = math.Copysign(1+d.r.Float64(), a[i*ld+j])
			default:
				a[i*ld+j] *= 4 / float64(n)
			}
		}
	}
	return a
}

// overwritten returns x, of NaN when beta is 0.
func overwritten(beta float64, x []float64) []float64 {
	if beta == 0 {
		for i := range x {
			x[i] = math.NaN()
		}
	}
	return x
}

func levelOne(s shadow, d draw) {
	for _, n := range d.sizes {
		for _, inc := range increments {
			x, incY := d.vector(n, inc), d.inc()
			s.Dnrm2(n, x, inc)
			s.Dasum(n, x, inc)
			s.Ddot(n, x, inc, d.vector(n, incY), incY)
			for _, alpha := range scalars {
				s.Daxpy(n, alpha, x, inc, d.vector(n, incY), incY)
				s.Dscal(n, alpha, d.vector(n, inc), inc)
			}
		}
	}
}

func levelTwo(s shadow, d draw, alpha, beta float64) {
	for _, incX := range increments {
		m, n, incY := d.size(), d.size(), d.inc()
		ld := n + d.pad()
		for _, ta := range transposes {
			lenX, lenY := n, m
			if ta != blas.NoTrans {
				lenX, lenY = m, n
			}
			s.Dgemv(ta, m, n, alpha, d.matrix(m, n, ld), ld, d.vector(lenX, incX), incX, beta,
				overwritten(beta, d.vector(lenY, incY)), incY)
		}
		s.Dger(m, n, alpha, d.vector(m, incX), incX, d.vector(n, incY), incY, d.matrix(m, n, ld), ld)
		for _, ul := range uplos {
			a, x := d.triangle(n, ld, ul, blas.NonUnit), d.vector(n, incX)
			s.Dsymv(ul, n, alpha, a, ld, x, incX, beta, overwritten(beta, d.vector(n, incY)), incY)
			s.Dsyr(ul, n, alpha, x, incX, a, ld)
			s.Dsyr2(ul, n, alpha, x, incX, d.vector(n, incY), incY, a, ld)
			ta, diag := pick(d, transposes), pick(d, diags)
			a = d.triangle(n, ld, ul, diag)
			s.Dtrmv(ul, ta, diag, n, a, ld, x, incX)
			s.Dtrsv(ul, ta, diag, n, a, ld, x, incX)
		}
	}
}

func levelThree(s shadow, d draw, ta blas.Transpose, alpha, beta float64) {
	m, n, k := d.size(), d.size(), d.size()
	ldc := n + d.pad()
	c := func(rows int) []float64 { return overwritten(beta, d.matrix(rows, n, ldc)) }
	for _, tb := range transposes {
		a, lda := d.operand(ta, m, k)
		b, ldb := d.operand(tb, k, n)
		s.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c(m), ldc)
	}
	for _, ul := range uplos {
		a, lda := d.operand(ta, n, k)
		b, ldb := d.operand(ta, n, k)
		if ul == blas.Upper || ta == blas.NoTrans { // else gonum multiplies NaN by beta = 0
			s.Dsyrk(ul, ta, n, k, alpha, a, lda, beta, c(n), ldc)
		} else {
			s.Dsyrk(ul, ta, n, k, alpha, a, lda, beta, d.matrix(n, n, ldc), ldc)
		}
		s.Dsyr2k(ul, ta, n, k, alpha, a, lda, b, ldb, beta, c(n), ldc)
		for _, side := range sides {
			size, diag := m, pick(d, diags)
			if side == blas.Right {
				size = n
			}
			lda, ldb := size+d.pad(), n+d.pad()
			b := d.matrix(m, n, ldb)
			s.Dsymm(side, ul, m, n, alpha, d.triangle(size, lda, ul, blas.NonUnit), lda, b, ldb, beta, c(m), ldc)
			a := d.triangle(size, lda, ul, diag)
			s.Dtrmm(side, ul, ta, diag, m, n, alpha, a, lda, b, ldb)
			s.Dtrsm(side, ul, ta, diag, m, n, alpha, a, lda, b, ldb)
		}
	}
}

// operand holds op(A) of m rows and n columns.
func (d draw) operand(trans blas.Transpose, m, n int) (a []float64, ld int) {
	if trans != blas.NoTrans {
		m, n = n, m
	}
	ld = n + d.pad()
	return d.matrix(m, n, ld), ld
}
