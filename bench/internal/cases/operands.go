package cases

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// Operands is what a kernel works on, the same memory for all implementations, so that addresses and pages favour none.
type Operands[T vec.Float] struct {
	Alpha     T
	X, Y, Z   []T
	A, B, C   vec.Matrix[T]
	Idx       []int32
	Out       T   // result of a reduction
	Turns, At int // vectors in Y for kernels that sort, and the next of them

	n, k      int // elements of each of these vectors; k of a projection
	work      project.Workspace[T]
	kernel    Kernel[T]
	layout    Layout
	tmp, ones []T
	settle    func() // the kernel's, or of the last call
}

// Layout says where operands lie.
type Layout struct {
	Shift int // elements between a boundary of 64 bytes and each of them
	// kernels that sort take turns with vectors of 65536 elements in all: branches on one would be learnt by heart
	Many bool
}

// NewOperands returns operands for c, filled.
func NewOperands[T vec.Float](c Case, l Layout) *Operands[T] {
	k := Find[T](c.Name)
	s := k.shape(c)
	p := &Operands[T]{Alpha: k.alpha, k: c.K, n: s.y, Turns: 1, kernel: k, layout: l}
	if p.Alpha == 0 {
		p.Alpha = 0.125
	}
	if s.many && l.Many {
		p.Turns = max(1, 65536/s.y)
	}
	vector := func(n int) []T { return aligned[T](n, l.Shift) }
	matrix := func(size [2]int) vec.Matrix[T] { return vec.MatrixOf(size[0], size[1], vector(size[0]*size[1])) }
	p.X, p.Y, p.Z, p.Idx = vector(s.x), vector(p.Turns*s.y), vector(s.z), make([]int32, s.idx)
	p.A, p.B, p.C = matrix(s.a), matrix(s.b), matrix(s.c)
	if k.settle != nil {
		p.settle = func() { k.settle(p) }
	}
	p.Fill()
	return p
}

// aligned returns n elements, the first of them shift elements after a 64-byte boundary.
func aligned[T vec.Float](n, shift int) []T {
	size := int(unsafe.Sizeof(T(0)))
	buf := make([]T, n+shift+64/size)
	skip := (64-int(uintptr(unsafe.Pointer(&buf[0]))%64))%64/size + shift
	return buf[skip : skip+n : skip+n]
}

// Fill writes the same numbers at every call: unless the kernel has its own, multiples of 1/4, at most 3/4 in magnitude
// and never 0. Sums of their products are exact in whatever order they are added, so that all implementations must
// agree to the bit.
func (p *Operands[T]) Fill() {
	const period = 997 // random numbers are slow; a prime, so that rows differ
	random := rand.New(rand.NewPCG(1, 2))
	for _, v := range [][]T{p.X, p.Y, p.A.Data, p.B.Data} {
		for i := range v {
			if i >= period {
				v[i] = v[i-period]
				continue
			}
			v[i] = T(1+random.IntN(3)) / 4
			if random.IntN(2) == 0 {
				v[i] = -v[i]
			}
		}
	}
	clear(p.Z)
	clear(p.C.Data)
	p.Out = 0
	if p.kernel.fill != nil {
		p.kernel.fill(p, random)
	}
}

// Next returns the vector in Y whose turn it is.
func (p *Operands[T]) Next() []T {
	x := p.Y[p.At*p.n:][:p.n]
	if p.At++; p.At == p.Turns {
		p.At = 0
	}
	return x
}

// Scratch returns memory of the size of X, for those who compose a kernel of others.
func (p *Operands[T]) Scratch() []T {
	if p.tmp == nil {
		p.tmp = aligned[T](len(p.X), p.layout.Shift)
	}
	return p.tmp
}

// Ones returns as many ones as X has elements.
func (p *Operands[T]) Ones() []T {
	if p.ones == nil {
		p.ones = aligned[T](len(p.X), p.layout.Shift)
		for i := range p.ones {
			p.ones[i] = 1
		}
	}
	return p.ones
}

// Try fills p, calls the loop once, and returns an error unless p then holds what want holds.
func (p *Operands[T]) Try(f Loop[T], want *Operands[T]) error {
	p.Fill()
	f(p, 1)
	if p.settle != nil {
		p.settle()
	}
	for _, v := range []struct {
		name      string
		got, want []T
	}{
		{"result", []T{p.Out}, []T{want.Out}}, {"x", p.X, want.X}, {"y", p.Y, want.Y}, {"z", p.Z, want.Z},
		{"a", p.A.Data, want.A.Data}, {"b", p.B.Data, want.B.Data}, {"c", p.C.Data, want.C.Data},
	} {
		for i, w := range v.want {
			if g := v.got[i]; g != w && !(math.Abs(float64(g-w)) <= p.kernel.slack*math.Abs(float64(w))) {
				return fmt.Errorf("%s[%d] is %v, want %v", v.name, i, g, w)
			}
		}
	}
	if !slices.Equal(p.Idx, want.Idx) {
		return fmt.Errorf("positions are %v, want %v", p.Idx[:min(20, len(p.Idx))], want.Idx[:min(20, len(p.Idx))])
	}
	return nil
}

// Expect returns operands that hold what an implementation must make of them, by a loop that is right.
func Expect[T vec.Float](c Case, l Layout, right Loop[T]) *Operands[T] {
	p := NewOperands[T](c, l)
	right(p, 1)
	if p.settle != nil {
		p.settle()
	}
	return p
}
