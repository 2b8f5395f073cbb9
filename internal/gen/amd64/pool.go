package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pool is a table of constants in memory; those that are wanted most are kept in registers as well. With AVX2 each is
// repeated so that it fills a vector. AVX-512 takes one element from memory to all lanes as fast as a vector.
type pool struct {
	k      *kernel
	mem    operand.Mem
	used   int // bytes
	values []operand.Constant
	shared *pool // of another function of the file, which has the same table
	places map[string]operand.Mem
	held   map[string]reg.VecVirtual
}

// newPool begins a table. The functions of a file that name the same one for an element type and a tier share it.
func (k *kernel) newPool(name string) *pool {
	p := &pool{k: k, places: map[string]operand.Mem{}, held: map[string]reg.VecVirtual{}}
	name += k.elem.suffix + k.tier.suffix
	if p.shared = k.pools[name]; p.shared != nil {
		p.mem = p.shared.mem
		return p
	}
	p.mem = k.StaticGlobal(name)
	k.DataAttributes(attr.RODATA | attr.NOPTR)
	if k.pools == nil {
		k.constants.pools = map[string]*pool{}
	}
	k.pools[name] = p
	return p
}

// number adds a constant of the element type.
func (p *pool) number(name string, v float64) { p.repeat(name, p.k.number(v)) }

// bits adds a constant of the element's width that is an integer.
func (p *pool) bits(name string, v uint64) {
	if p.k.f64 {
		p.repeat(name, operand.U64(v))
	} else {
		p.repeat(name, operand.U32(v))
	}
}

func (p *pool) repeat(name string, v operand.Constant) {
	p.places[name] = p.mem.Offset(p.used)
	times := 32 / p.k.size
	if p.k.wide {
		times = 1
	}
	for range times {
		p.append(v)
	}
}

// table adds several constants, one after another. Tables stand before single constants, at multiples of a vector.
func (p *pool) table(name string, values []float64) {
	if p.used%32 != 0 {
		panic("table " + name + " begins within a vector")
	}
	p.places[name] = p.mem.Offset(p.used)
	for _, v := range values {
		p.append(p.k.number(v))
	}
}

func (p *pool) append(v operand.Constant) {
	if i := p.used / p.k.size; p.shared == nil {
		p.k.AppendDatum(v)
		p.values = append(p.values, v)
	} else if i >= len(p.shared.values) || p.shared.values[i] != v {
		panic(fmt.Sprintf("constant %d of a table that is shared is %v", i, v))
	}
	p.used += p.k.size
}

// vector returns a constant to serve as the last source of an instruction: its register, or the memory that holds a
// vector of it.
func (p *pool) vector(name string) operand.Op {
	if r, ok := p.held[name]; ok {
		return r
	}
	if p.k.wide {
		panic("constant " + name + " is not held")
	}
	return p.places[name]
}

// hold loads constants into registers, where they stay.
func (p *pool) hold(names ...string) {
	for _, name := range names {
		p.held[name] = p.fresh(name)
	}
}

// fresh returns a new register with a constant.
func (p *pool) fresh(name string) reg.VecVirtual {
	v := p.k.vec()
	if r, ok := p.held[name]; ok {
		p.k.move(r, v)
	} else if p.k.wide {
		p.k.bcast(p.places[name], v)
	} else {
		p.k.load(p.places[name], v)
	}
	return v
}

func (k *kernel) move(from, to reg.Register) { pick(k, k.VMOVAPS, k.VMOVAPD)(from, to) }

// bitsOf is the representation of v in the element type.
func (k *kernel) bitsOf(v float64) uint64 {
	if k.f64 {
		return math.Float64bits(v)
	}
	return uint64(math.Float32bits(float32(v)))
}

// ofBits is the inverse of bitsOf.
func (k *kernel) ofBits(b uint64) float64 {
	if k.f64 {
		return math.Float64frombits(b)
	}
	return float64(math.Float32frombits(uint32(b)))
}
