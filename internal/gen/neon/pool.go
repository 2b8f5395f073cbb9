package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// pool is a table of constants in memory, each of them repeated to fill a vector. Where an instruction overwrites its
// operand, as the sums of VFMLA do, loading a constant anew costs no more than copying it from a register.
type pool struct {
	*kernel
	symbol string
	base   X
	index  map[string]int
	values []uint64
	held   map[string]V
}

func (k *kernel) newPool(name string) *pool {
	p := &pool{kernel: k, symbol: name + k.suffix + "NEON<>", base: k.x(), index: map[string]int{},
		held: map[string]V{}}
	k.Op("MOVD", a64.Symbol("$"+p.symbol+"(SB)"), p.base)
	return p
}

// number adds a constant of the element type.
func (p *pool) number(name string, v float64) { p.bits(name, p.bitsOf(v)) }

// bits adds a constant by its representation.
func (p *pool) bits(name string, v uint64) {
	p.index[name] = len(p.values)
	if p.size == 4 {
		v = v&math.MaxUint32 | v<<32
	}
	p.values = append(p.values, v)
}

// load fills v with a constant.
func (p *pool) load(name string, v V) {
	i, ok := p.index[name]
	if !ok {
		panic("no constant " + name)
	}
	p.Op("FMOVQ", a64.Mem(p.base, vectorBytes*i), v)
}

// hold loads constants into registers, where they stay.
func (p *pool) hold(names ...string) {
	for _, name := range names {
		v := p.vs(1)[0]
		p.load(name, v)
		p.held[name] = v
	}
}

// the returns the register of a constant that is held.
func (p *pool) the(name string) V {
	v, ok := p.held[name]
	if !ok {
		panic("constant " + name + " is not held")
	}
	return v
}

// write adds the table to the file, behind the function.
func (p *pool) write() {
	p.Printf("\n")
	for i, v := range p.values {
		for half := range 2 {
			p.Printf("DATA %s+%d(SB)/8, $0x%016x\n", p.symbol, vectorBytes*i+8*half, v)
		}
	}
	p.Printf("GLOBL %s(SB), RODATA|NOPTR, $%d\n", p.symbol, vectorBytes*len(p.values))
}

// bitsOf is the representation of v in the element type.
func (e elem) bitsOf(v float64) uint64 {
	if e.size == 4 {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// Integer instructions on the lanes of the element's width.
func (k *kernel) addInt(d, a, b V)         { k.Op("VADD", b.As(k.arr), a.As(k.arr), d.As(k.arr)) }
func (k *kernel) subInt(d, a, b V)         { k.Op("VSUB", b.As(k.arr), a.As(k.arr), d.As(k.arr)) } // d = a - b
func (k *kernel) shiftLeft(d, a V, n int)  { k.Op("VSHL", imm(n), a.As(k.arr), d.As(k.arr)) }
func (k *kernel) shiftRight(d, a V, n int) { k.Op("VUSHR", imm(n), a.As(k.arr), d.As(k.arr)) }

// Instructions on bits: where the bits of mask are set, choose gives the bits of yes, else of no, in the place of mask;
// insert copies the bits of v to d where set, insertUnless where not.
func (k *kernel) andBits(d, a, b V)         { k.Op("VAND", b.Bits(), a.Bits(), d.Bits()) }
func (k *kernel) choose(mask, yes, no V)    { k.Op("VBSL", no.Bits(), yes.Bits(), mask.Bits()) }
func (k *kernel) insert(d, v, mask V)       { k.Op("VBIT", mask.Bits(), v.Bits(), d.Bits()) }
func (k *kernel) insertUnless(d, v, mask V) { k.Op("VBIF", mask.Bits(), v.Bits(), d.Bits()) }

// fms is acc -= a*b, rounded once.
func (k *kernel) fms(acc, a, b V) { k.Op("VFMLS", b.As(k.arr), a.As(k.arr), acc.As(k.arr)) }
