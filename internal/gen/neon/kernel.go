package main

import (
	"fmt"
	"math/bits"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
	"github.com/dualgap/dualgap/internal/gen/text"
)

var counted = text.Counted

type (
	X   = a64.X
	V   = a64.V
	imm = a64.Imm
)

// elem is the element type.
type elem struct {
	suffix, goType string
	size           int
	arr            a64.Arr // a full vector of it
	move           string  // loads or stores one
}

var elems = []elem{
	{"F32", "float32", 4, a64.S4, "FMOVS"},
	{"F64", "float64", 8, a64.D2, "FMOVD"},
}

const vectorBytes = 16

// lanes is the number of elements in a vector.
func (e elem) lanes() int { return vectorBytes / e.size }

// shift is log2 of the element's size.
func (e elem) shift() int { return bits.TrailingZeros(uint(e.size)) }

// kernel is a function under construction: the file, with instructions that know the element, and the registers given
// out.
type kernel struct {
	*a64.File
	elem
	offset  map[string]int
	nextX   X
	nextV   V
	dotProd bool // the form for that extension
	single  bool // the data hold float32 beside float64 in all other arguments: see mixed.go
}

// begin adds the head of the function of a form.
func (s source) begin(f *a64.File, e elem, form string) *kernel {
	sig := e.signature(s.sig)
	offset, bytes := layout(sig)
	f.Text(s.tierName(e, form), sig, bytes)
	return &kernel{File: f, elem: e, offset: offset, dotProd: form == dotProd}
}

// x returns a general register that nobody has yet.
func (k *kernel) x() X {
	if k.nextX == 16 {
		k.nextX = 19 // those between are Go's
	}
	k.nextX++
	return k.nextX - 1
}

// vs returns n vector registers that nobody has yet.
func (k *kernel) vs(n int) []V {
	v := make([]V, n)
	for i := range v {
		v[i] = k.nextV
		k.nextV++
	}
	return v
}

// section begins a part of the function: a label behind a comment that says what the part does.
func (k *kernel) section(l a64.Label, comment string) {
	k.Comment(comment)
	k.Printf("%s:\n", l)
}

// param is the place of a parameter, or of the result "ret".
func (k *kernel) param(name string) a64.Operand {
	offset, ok := k.offset[name]
	if !ok {
		panic("no parameter " + name)
	}
	return a64.Symbol(fmt.Sprintf("%s+%d(FP)", name, offset))
}

// arg loads an integer or pointer parameter.
func (k *kernel) arg(name string) X {
	x := k.x()
	k.Op("MOVD", k.param(name), x)
	return x
}

// scalar loads a parameter of the element type into every lane.
func (k *kernel) scalar(name string) V {
	v := k.vs(1)[0]
	k.Op(k.move, k.param(name), v)
	k.Op("VDUP", v.Lane(k.arr, 0), v.As(k.arr))
	return v
}

// ret returns the lowest lane of v.
func (k *kernel) ret(v V) {
	k.Op(k.move, v, k.param("ret"))
	k.Op("RET")
}

func (k *kernel) zero(v ...V) {
	for _, v := range v {
		k.Op("VEOR", v.Bits(), v.Bits(), v.Bits())
	}
}

// fma is acc += a*b, rounded once.
func (k *kernel) fma(acc, a, b V) { k.Op("VFMLA", b.As(k.arr), a.As(k.arr), acc.As(k.arr)) }

// fmaLane is acc += a * c, where c is number i of the elements in the registers s.
func (k *kernel) fmaLane(acc, a V, s []V, i int) {
	k.FMLALane(k.arr, acc, a, s[i/k.lanes()], i%k.lanes())
}

// mulLane is d = a * c, c as in fmaLane.
func (k *kernel) mulLane(d, a V, s []V, i int) {
	k.FMULLane(k.arr, d, a, s[i/k.lanes()], i%k.lanes())
}

func (k *kernel) add(d, a, b V) { k.FADD(k.arr, d, a, b) }
func (k *kernel) mul(d, a, b V) { k.FMUL(k.arr, d, a, b) }

// unlessPositive jumps when n <= 0.
func (k *kernel) unlessPositive(n X, to a64.Label) {
	k.Op("CMP", imm(0), n)
	k.Op("BLE", to)
}
