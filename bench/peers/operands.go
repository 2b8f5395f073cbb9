package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// operands is what a kernel works on. All implementations get the same memory, so that addresses and pages favour none.
type operands[T vec.Float] struct {
	alpha     T
	x, y      []T
	tmp, ones []T // of x's length, for those who must compose a kernel of others
	a         vec.Matrix[T]
	b, c      vec.Matrix[T] // of products of matrices: C = op(A) op(B)
	out       T             // the result of a reduction, stored at every call by every implementation
	kernel    string
	slack     float64 // relative error that is allowed
	turns, at int     // vectors in y, for kernels that sort, and the next of them
	idx       []int32 // what they write beside x
	settle    func()  // sets out, where that costs too much to be timed
}

// newOperands returns filled operands for c whose slices start shift elements after a 64-byte boundary.
func newOperands[T vec.Float](c Case, shift int) *operands[T] {
	p := &operands[T]{alpha: 0.125, kernel: c.Kernel}
	if _, ok := sorting[T]()[c.Kernel]; ok {
		p.placeUnsorted(c, shift)
		p.fill()
		return p
	}
	lenX, lenY := c.N, c.N
	switch c.Kernel {
	case "Exp", "Log":
		p.slack = 2 * float64(math.Nextafter32(1, 2)-1)
		if unsafe.Sizeof(p.out) == 8 {
			p.slack = 2 * (math.Nextafter(1, 2) - 1)
		}
	case "MatSVD", "MatEigenSym", "MatCholesky", "MatSolve":
		p.slack = 1e-10
	case "Scale":
		p.alpha = -1 // keeps the magnitude over millions of calls, and no implementation skips it as it may skip 1
	case "Ger", "GemvT":
		lenX = c.M
	case "Gemv":
		lenY = c.M
	}
	if strings.HasPrefix(c.Kernel, "Sparse") {
		p.placeSparse(c, shift)
		p.fill()
		return p
	}
	if c.Kernel == "FilterAbove" {
		p.idx, p.settle = make([]int32, c.N), p.clearRest
	}
	if q, ok := products[c.Kernel]; ok {
		p.place(q, c, shift)
		p.fill()
		return p
	}
	p.x, p.y = aligned[T](lenX, shift), aligned[T](lenY, shift)
	p.tmp, p.ones = aligned[T](lenX, shift), aligned[T](lenX, shift)
	if c.M > 0 {
		p.a = vec.MatrixOf(c.M, c.N, aligned[T](c.M*c.N, shift))
	}
	p.fill()
	return p
}

// aligned returns n elements, the first of them shift elements after a 64-byte boundary.
func aligned[T vec.Float](n, shift int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	buf := make([]T, n+shift+64/size)
	skip := (64-int(uintptr(unsafe.Pointer(&buf[0]))%64))%64/size + shift
	return buf[skip : skip+n : skip+n]
}

// fill writes the same numbers at every call: but for kernels that do not add, multiples of 1/4, at most 3/4 in magnitude and never zero. All sums of their
// products stay below 2^24 times their common unit, so that every order of summation gives the same, exact result.
func (p *operands[T]) fill() {
	random := rand.New(rand.NewPCG(1, 2))
	if p.turns > 0 {
		p.shuffle(random)
		return
	}
	for _, v := range [][]T{p.x, p.y, p.a.Data, p.b.Data} {
		for i := range v {
			v[i] = T(1+random.IntN(3)) / 4
			if random.IntN(2) == 0 {
				v[i] = -v[i]
			}
		}
	}
	switch p.kernel {
	case "Log":
		for i, v := range p.x {
			p.x[i] = 16 * max(v, -v)
		}
	case "Exp":
		for i := range p.x {
			p.x[i] *= 16
		}
	case "Max", "ArgMax": // they round nothing, and it would matter how often the maximum occurs
		for i := range p.x {
			p.x[i] = T(random.NormFloat64())
		}
	}
	if p.kernel == "MatCholesky" || p.kernel == "MatSolve" {
		for i := range p.a.Rows { // positive definite and well conditioned
			p.a.Row(i)[i] = T(p.a.Cols)
		}
	}
	for i := range p.ones {
		p.ones[i] = 1
	}
	clear(p.c.Data)
	p.out = 0
}
